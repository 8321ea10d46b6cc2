import 'fake-indexeddb/auto';
import { beforeEach, expect, it, vi } from 'vitest';
import { enqueue } from '@/offline/outbox/outbox.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { MERGE_TABLES, mergeChange, mergePage } from '@/offline/store/merge.ts';
import { CONVERSATION, freshDb, ME, message, PEER } from '@/offline/testkit.ts';
import { ThreadWindow } from './threadWindow.ts';

let db: HeartwardDb;
let view: ThreadWindow;

beforeEach(async () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  db = await freshDb();
  view = new ThreadWindow(db, CONVERSATION, ME);
  return () => {
    view.stop();
    vi.unstubAllGlobals();
  };
});

const storeMessages = (from: number, to: number) =>
  db.transact(MERGE_TABLES, (tx) =>
    mergePage(
      tx,
      ME,
      Array.from({ length: to - from + 1 }, (_, index) => message(from + index)),
    ),
  );
const seqs = () => view.shown.get().rows?.map(({ seq }) => seq);
const ends = () => [seqs()?.[0], seqs()?.at(-1), seqs()?.length];

it('shows the newest messages, then older ones as far as requested', async () => {
  await storeMessages(1, 300);
  view.start(261);
  await vi.waitFor(() => expect(ends()).toEqual([261, 300, 40]));
  view.extendTo(100);
  await vi.waitFor(() => expect(ends()).toEqual([100, 300, 201]));
  view.extendTo(1);
  await vi.waitFor(() => expect(ends()).toEqual([1, 300, 300]));
});

it('reads only the changed part again', async () => {
  await storeMessages(1, 300);
  view.start(261);
  view.extendTo(1);
  await vi.waitFor(() => expect(ends()).toEqual([1, 300, 300]));
  const before = view.shown.get().rows ?? [];
  await storeMessages(301, 301);
  await vi.waitFor(() => expect(ends()).toEqual([1, 301, 301]));
  const after = view.shown.get().rows ?? [];
  expect(after[200], 'an older row is the same object').toBe(before[200]);
});

it('loses no message when the newest part is split', async () => {
  await storeMessages(1, 10);
  view.start(1);
  await vi.waitFor(() => expect(ends()).toEqual([1, 10, 10]));
  for (let from = 11; from < 400; from += 50) {
    await storeMessages(from, from + 49);
    await vi.waitFor(() => expect(ends()).toEqual([1, from + 49, from + 49]));
  }
  expect(new Set(seqs()).size).toBe(seqs()?.length);
});

it('shows a queued change at once and reverts it when its row leaves the outbox', async () => {
  await storeMessages(1, 3);
  view.start(1);
  const rowAt = (seq: number) => view.shown.get().rows?.find((row) => row.seq === seq);
  await vi.waitFor(() => expect(ends()).toEqual([1, 3, 3]));
  await enqueue(db, { kind: 'reaction', conversationId: CONVERSATION, seq: 2, emoji: '🎉' });
  await vi.waitFor(() => expect(rowAt(2)?.receiverReaction).toBe('🎉'));
  expect(
    (await db.messages.get([PEER, 'client-2']))?.receiverReaction,
    'the stored row is unchanged',
  ).toBeNull();
  await db.outbox.clear();
  await vi.waitFor(() => expect(rowAt(2)?.receiverReaction).toBeNull());

  await enqueue(db, { kind: 'delete', conversationId: CONVERSATION, seq: 3 });
  await vi.waitFor(() => expect(rowAt(3)).toMatchObject({ content: '', deletedAt: rowAt(3)?.sentAt }));
});

it('does not flicker when the stored change replaces the queued one', async () => {
  await storeMessages(1, 1);
  view.start(1);
  await enqueue(db, { kind: 'reaction', conversationId: CONVERSATION, seq: 1, emoji: '🎉' });
  await vi.waitFor(() => expect(view.shown.get().rows?.[0]?.receiverReaction).toBe('🎉'));
  const shown: (string | null | undefined)[] = [];
  view.shown.subscribe(() => shown.push(view.shown.get().rows?.[0]?.receiverReaction));
  await db.transact([...MERGE_TABLES, 'outbox'], async (tx) => {
    await tx.delete('outbox', `reaction:${CONVERSATION}:1`);
    await mergeChange(tx, ME, message(1, { rev: 1, receiverReaction: '🎉' }));
  });
  await vi.waitFor(() => expect(view.shown.get().rows?.[0]?.rev).toBe(1));
  expect(new Set(shown)).toEqual(new Set(['🎉']));
});
