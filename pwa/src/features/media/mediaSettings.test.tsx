/** The effects of the media settings. */
import 'fake-indexeddb/auto';
import { act } from 'react';
import type { Root } from 'react-dom/client';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { notificationDefaults } from '@/api/defaults.gen.ts';
import type { Attachment } from '@/api/types.ts';
import { readSettings } from '@/domain/storedSettings.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import type { MessageRow } from '@/offline/store/rows.ts';
import { CONVERSATION, createMemberRoot, freshDb, message, PEER, summary } from '@/offline/testkit.ts';
import { MessageAttachments } from './MessageAttachments.tsx';
import { usePictures } from './usePictures.ts';
import VoicePanel from './VoicePanel.tsx';

let db: HeartwardDb;
let page: HTMLElement;
let root: Root;
let playedIds: (string | null)[];

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  vi.stubGlobal('fetch', () => new Promise(() => undefined)); // no network
  playedIds = [];
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockImplementation(async function (this: HTMLMediaElement) {
    playedIds.push(this.closest('[id]')?.id ?? null);
  });
  db = await freshDb();
  await db.conversations.put({ ...summary(), userId: PEER, sortAt: '' });
  page = document.body.appendChild(document.createElement('div'));
  root = createMemberRoot(page);
  return async () => {
    await act(async () => root.unmount());
    page.remove();
    vi.unstubAllGlobals();
  };
});

async function applySettings(settings: Partial<typeof notificationDefaults>): Promise<void> {
  await db.meta.put({ key: 'settings', value: { ...notificationDefaults, ...settings } });
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
          <MessageAttachments
            author="Ada"
            mine={false}
            onReport={() => undefined}
            picturesShown={true}
            row={one}
          />
        </div>
      )),
    ),
  );
  await flushDatabase();
}

const player = (seq: number) => page.querySelector<HTMLMediaElement>(`#message-${seq} :is(audio, video)`);
const dispatch = (seq: number, event: string) =>
  act(async () => void player(seq)?.dispatchEvent(new Event(event)));

/** Plays more than half of a message. */
async function playMost(seq: number): Promise<void> {
  const element = player(seq);
  if (!element) throw new Error('no player');
  element.currentTime = 3;
  await dispatch(seq, 'timeupdate');
}

/** Resolves when earlier reads and writes of the database are done. */
const flushDatabase = () =>
  act(async () => void (await db.transaction('rw', db.tables, () => db.blobs.count())));

describe('a played voice message', () => {
  const fetchVoice = vi.fn(async () => new Response(new Blob(['voice'])));
  beforeEach(() => {
    fetchVoice.mockClear();
    vi.stubGlobal('fetch', fetchVoice);
  });

  it('is stored for offline use', async () => {
    await applySettings({ downloadForOffline: true });
    await show(row(1, 'audio'));
    await playMost(1);
    await vi.waitFor(async () => expect(await db.files.get('file-1')).toMatchObject({ keep: 'heard' }));
  });

  it('is neither fetched nor stored when the setting is off', async () => {
    await applySettings({ downloadForOffline: false });
    await show(row(1, 'audio'));
    await playMost(1);
    await vi.waitFor(async () => expect((await db.meta.get('voices:heard'))?.value).toEqual(['file-1']));
    await flushDatabase();
    expect(fetchVoice).not.toHaveBeenCalled();
    expect(await db.blobs.count()).toBe(0);
  });
});

describe('the next voice message', () => {
  const endOfFirst = async () => {
    await show(row(1, 'audio'), row(2, 'audio'));
    await playMost(1);
    await vi.waitFor(async () => expect(await db.meta.get('voices:heard')).toBeDefined());
    await dispatch(1, 'ended');
  };

  it('plays automatically when the setting is on', async () => {
    await applySettings({ autoplayVoice: true });
    await endOfFirst();
    await vi.waitFor(() => expect(playedIds).toEqual(['message-2']));
  });

  it('does not play when the setting is off', async () => {
    await applySettings({ autoplayVoice: false });
    await endOfFirst();
    await flushDatabase();
    expect(playedIds).toEqual([]);
  });
});

describe('a video in view', () => {
  let intersect: ((entries: { isIntersecting: boolean }[]) => void) | null;
  beforeEach(() => {
    intersect = null;
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        constructor(callback: typeof intersect) {
          intersect = callback;
        }
        observe = () => undefined;
        disconnect = () => undefined;
      },
    );
  });

  it('plays muted and only in view when the setting is on', async () => {
    await applySettings({ autoplayVideo: true });
    await show(row(1, 'video'));
    expect(player(1)?.muted).toBe(true);
    expect(playedIds).toEqual([]);
    await act(async () => intersect?.([{ isIntersecting: true }]));
    expect(playedIds).toEqual(['message-1']);
    const pause = vi.spyOn(HTMLMediaElement.prototype, 'pause');
    await act(async () => intersect?.([{ isIntersecting: false }]));
    expect(pause).toHaveBeenCalledOnce();
  });

  it('does not play when the setting is off', async () => {
    await applySettings({ autoplayVideo: false });
    await show(row(1, 'video'));
    expect([intersect, player(1)?.muted, playedIds]).toEqual([null, false, []]);
  });
});

const files = [new File(['a large one'], 'a.jpg', { type: 'image/jpeg' })];
let widths: (number | null)[];
function Tray() {
  widths = usePictures(files).pictures.map((picture) => picture.file.width);
  return null;
}

describe.each([
  [true, 64_000, 1600],
  [false, 24_000, 1280],
])('with high quality %s', (highQualityMedia, bits, longest) => {
  beforeEach(() => applySettings({ highQualityMedia }));

  it(`a voice message is recorded with ${bits} bits a second`, async () => {
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

  it(`a picture is sent with a side of at most ${longest} pixels`, async () => {
    vi.stubGlobal('createImageBitmap', async () => ({ width: 4000, height: 2000, close: () => undefined }));
    vi.spyOn(HTMLCanvasElement.prototype, 'toDataURL').mockReturnValue('data:,');
    vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) => done(new Blob(['small'])));
    await act(async () => root.render(<Tray />));
    await vi.waitFor(() => expect(widths).toEqual([longest]));
  });
});
