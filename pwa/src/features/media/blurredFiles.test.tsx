import 'fake-indexeddb/auto';
import { act } from 'react';
import type { Root } from 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Attachment } from '@/api/types.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import type { MessageRow } from '@/offline/store/rows.ts';
import { CONVERSATION, createMemberRoot, freshDb, message, PEER, summary } from '@/offline/testkit.ts';
import { MessageAttachments } from './MessageAttachments.tsx';

let db: HeartwardDb;
let root: Root;
let page: HTMLElement;

beforeEach(async () => {
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

const file = (kind: 'image' | 'video', id: string) =>
  ({
    id,
    kind,
    mimeType: kind === 'image' ? 'image/webp' : 'video/webm',
    url: `/files/${id}/full.webp`,
    thumbUrl: `/files/${id}/thumb.webp`,
    posterUrl: `/files/${id}/poster.webp`,
    durationMs: 1000,
    waveform: [],
    placeholder: 'data:image/webp;base64,AAAA',
    bytes: 5,
  }) as unknown as Attachment;

const rowWith = (...attachments: Attachment[]): MessageRow => ({
  ...message(1, { messageType: attachments[0]?.kind === 'video' ? 'video' : 'image', attachments }),
  order: 1,
  state: 'stored',
});

const reported = vi.fn();
const show = (row: MessageRow, mine: boolean, picturesShown: boolean) =>
  act(async () =>
    root.render(
      <MessageAttachments
        author="Ada"
        mine={mine}
        onReport={reported}
        picturesShown={picturesShown}
        row={row}
      />,
    ),
  );

const button = (name: string) => page.querySelector<HTMLElement>(`button[aria-label="${name}"]`);
const sources = () => [...page.querySelectorAll('img, video')].length;

it.each([
  ['Tap to show Ada’s picture', [file('image', 'a')]],
  ['Tap to show Ada’s 3 pictures', [file('image', 'a'), file('image', 'b'), file('image', 'c')]],
  ['Tap to show Ada’s video', [file('video', 'a')]],
])('%s: nothing is fetched before', async (name, files) => {
  await show(rowWith(...files), false, false);
  expect(button(name)).not.toBeNull();
  expect(sources()).toBe(0);
  await show(rowWith(...files), false, true);
  expect(button(name)).toBeNull();
  expect(sources()).toBe(files.length);
});

it('a tap shows the pictures of the conversation and enters it in the outbox', async () => {
  await show(rowWith(file('image', 'a')), false, false);
  await act(async () => {
    button('Tap to show Ada’s picture')?.click();
    await vi.waitFor(async () => expect(await db.outbox.count()).toBe(1));
  });
  expect(await db.conversations.get(CONVERSATION)).toMatchObject({ picturesShown: true });
  expect(await db.outbox.toArray()).toMatchObject([
    { conversationId: CONVERSATION, body: { kind: 'showPictures' } },
  ]);
});

it('own pictures are never blurred', async () => {
  await show(rowWith(file('image', 'a')), true, false);
  expect(page.textContent).not.toContain('Tap to show');
});

it('the sender can be reported without looking', async () => {
  const row = rowWith(file('image', 'a'));
  await show(row, false, false);
  await act(async () => page.querySelectorAll<HTMLElement>('button')[1]?.click());
  expect(reported).toHaveBeenCalledWith(row);
});

it('the viewer, which saves pictures, opens only after the tap', async () => {
  await show(rowWith(file('image', 'a')), false, false);
  const names = [...page.querySelectorAll('button')].map(
    (found) => found.getAttribute('aria-label') ?? found.textContent,
  );
  expect(names).toEqual(['Tap to show Ada’s picture', 'Report']);
  expect(page.querySelectorAll('dialog, a')).toHaveLength(0);
  expect(page.innerHTML).not.toContain('/files/');
  await show(rowWith(file('image', 'a')), false, true);
  await act(async () => button('Look at Ada’s picture')?.click());
  await vi.waitFor(async () => {
    await act(async () => undefined);
    expect(page.querySelector('dialog a[download]')).not.toBeNull();
  });
});
