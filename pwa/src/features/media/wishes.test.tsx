import 'fake-indexeddb/auto';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Attachment } from '@/api/types.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { DEFAULT_SETTINGS } from '@/offline/store/meta.ts';
import type { MessageRow } from '@/offline/store/rows.ts';
import { readSettings } from '@/offline/sync/settings.ts';

import { CONVERSATION, freshDb, message, PEER, summary } from '@/offline/testkit.ts';
import { MessageAttachments } from './MessageAttachments.tsx';
import { usePictures } from './usePictures.ts';
import VoicePanel from './VoicePanel.tsx';

/** What the member wants of media, and whether the app does it. */
let db: HeartwardDb;
let page: HTMLElement;
let root: Root;
let played: (string | null)[];

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  vi.stubGlobal('fetch', () => new Promise(() => undefined)); // no network
  played = [];
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockImplementation(async function (this: HTMLMediaElement) {
    played.push(this.closest('[id]')?.id ?? null);
  });
  db = await freshDb();
  await db.conversations.put({ ...summary(), userId: PEER, sortAt: '' });
  page = document.body.appendChild(document.createElement('div'));
  root = createRoot(page);
  return async () => {
    await act(async () => root.unmount());
    page.remove();
    vi.unstubAllGlobals();
  };
});

async function wants(wishes: Partial<typeof DEFAULT_SETTINGS>): Promise<void> {
  await db.meta.put({ key: 'settings', value: { ...DEFAULT_SETTINGS, ...wishes } });
  await readSettings(db);
}

const file = (seq: number, kind: 'audio' | 'video') =>
  ({
    id: `file-${seq}`,
    kind,
    mimeType: 'audio/mp4',
    url: `/files/${seq}/media`,
    durationMs: 4000,
    waveform: [],
    posterUrl: null,
    placeholder: '',
    bytes: 5,
  }) as unknown as Attachment;

const row = (seq: number, kind: 'audio' | 'video'): MessageRow => ({
  ...message(seq, { messageType: kind, attachments: [file(seq, kind)] }),
  order: seq,
  state: 'stored',
});

async function show(...rows: MessageRow[]): Promise<void> {
  await act(async () =>
    root.render(
      rows.map((one) => (
        <div id={`message-${one.seq}`} key={one.seq}>
          <MessageAttachments author="Ada" mine={false} row={one} />
        </div>
      )),
    ),
  );
  await settled();
}

const player = (seq: number) => page.querySelector<HTMLMediaElement>(`#message-${seq} :is(audio, video)`);
const says = (seq: number, event: string) =>
  act(async () => void player(seq)?.dispatchEvent(new Event(event)));

/** Most of it is heard. */
async function hear(seq: number): Promise<void> {
  const heard = player(seq);
  if (!heard) throw new Error('no player');
  heard.currentTime = 3;
  await says(seq, 'timeupdate');
}

/** Whatever the device was asked for or told to store is done by now. */
const settled = () => act(async () => void (await db.transaction('rw', db.tables, () => db.blobs.count())));

describe('what was heard', () => {
  const fetched = vi.fn(async () => new Response(new Blob(['voice'])));
  beforeEach(() => {
    fetched.mockClear();
    vi.stubGlobal('fetch', fetched);
  });

  it('is kept for times without a network', async () => {
    await wants({ downloadForOffline: true });
    await show(row(1, 'audio'));
    await hear(1);
    await vi.waitFor(async () => expect(await db.blobs.get('file-1')).toMatchObject({ keep: 'heard' }));
  });

  it('is not fetched and not kept by who does not want it', async () => {
    await wants({ downloadForOffline: false });
    await show(row(1, 'audio'));
    await hear(1);
    await vi.waitFor(async () => expect((await db.meta.get('voices:heard'))?.value).toEqual(['file-1']));
    await settled();
    expect(fetched).not.toHaveBeenCalled();
    expect(await db.blobs.count()).toBe(0);
  });
});

describe('the next voice', () => {
  const endOfFirst = async () => {
    await show(row(1, 'audio'), row(2, 'audio'));
    await hear(1);
    await vi.waitFor(async () => expect(await db.meta.get('voices:heard')).toBeDefined());
    await says(1, 'ended');
  };

  it('plays where that is wanted', async () => {
    await wants({ autoplayVoice: true });
    await endOfFirst();
    await vi.waitFor(() => expect(played).toEqual(['message-2']));
  });

  it('waits to be asked for otherwise', async () => {
    await wants({ autoplayVoice: false });
    await endOfFirst();
    await settled();
    expect(played).toEqual([]);
  });
});

describe('a video in view', () => {
  let see: ((entries: { isIntersecting: boolean }[]) => void) | null;
  beforeEach(() => {
    see = null;
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        constructor(seen: typeof see) {
          see = seen;
        }
        observe = () => undefined;
        disconnect = () => undefined;
      },
    );
  });

  it('moves without sound where that is wanted, and only in view', async () => {
    await wants({ autoplayVideo: true });
    await show(row(1, 'video'));
    expect(player(1)?.muted).toBe(true);
    expect(played).toEqual([]);
    await act(async () => see?.([{ isIntersecting: true }]));
    expect(played).toEqual(['message-1']);
    const pause = vi.spyOn(HTMLMediaElement.prototype, 'pause');
    await act(async () => see?.([{ isIntersecting: false }]));
    expect(pause).toHaveBeenCalledOnce();
  });

  it('is left alone otherwise', async () => {
    await wants({ autoplayVideo: false });
    await show(row(1, 'video'));
    expect([see, player(1)?.muted, played]).toEqual([null, false, []]);
  });
});

const chosen = [new File(['a large one'], 'a.jpg', { type: 'image/jpeg' })];
let widths: (number | null)[];
function Tray() {
  widths = usePictures(chosen).pictures.map((picture) => picture.file.width);
  return null;
}

describe.each([
  [true, 64_000, 1600],
  [false, 24_000, 1280],
])('with high quality %s', (highQualityMedia, bits, longest) => {
  beforeEach(() => wants({ highQualityMedia }));

  it(`a voice is recorded with ${bits} bits a second`, async () => {
    const writers: MediaRecorderOptions[] = [];
    vi.stubGlobal(
      'MediaRecorder',
      class {
        static isTypeSupported = () => true;
        constructor(_: unknown, options: MediaRecorderOptions) {
          writers.push(options);
        }
        start = () => undefined;
      },
    );
    const stream = { getTracks: () => [] };
    vi.stubGlobal('navigator', { mediaDevices: { getUserMedia: async () => stream }, onLine: true });
    const to = { id: CONVERSATION, userId: PEER };
    await act(async () => root.render(<VoicePanel onClose={() => undefined} to={to} />));
    await vi.waitFor(() => expect(writers).toMatchObject([{ audioBitsPerSecond: bits }]));
  });

  it(`a picture is sent with at most ${longest} pixels`, async () => {
    vi.stubGlobal('createImageBitmap', async () => ({ width: 4000, height: 2000, close: () => undefined }));
    vi.spyOn(HTMLCanvasElement.prototype, 'toDataURL').mockReturnValue('data:,');
    vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) => done(new Blob(['small'])));
    await act(async () => root.render(<Tray />));
    await vi.waitFor(() => expect(widths).toEqual([longest]));
  });
});
