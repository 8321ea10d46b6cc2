import 'fake-indexeddb/auto';
import { expect, it } from 'vitest';
import { MERGE_TABLES, mergePage } from '@/offline/store/merge.ts';
import type { ConversationRow } from '@/offline/store/rows.ts';
import { CONVERSATION, freshDb, ME, message } from '@/offline/testkit.ts';
import {
  cacheConversations,
  cachedConversation,
  cachedNewest,
  cacheNewest,
  initialFrom,
  prefetchNewest,
} from './threadCache.ts';
import { ThreadWindow } from './threadWindow.ts';

const conversation = (lastSeq: number, id = CONVERSATION) => ({ id, lastSeq, lastRev: 0 }) as ConversationRow;
const storeMessages = async (count: number) => {
  const db = await freshDb();
  const page = Array.from({ length: count }, (_, index) => message(index + 1));
  await db.transact(MERGE_TABLES, (tx) => mergePage(tx, ME, page));
  return db;
};

it('caches the conversations of the list and drops those that left it', async () => {
  const db = await freshDb();
  cacheConversations(db, [conversation(1)]);
  expect(cachedConversation(db, CONVERSATION)?.lastSeq).toBe(1);
  cacheConversations(db, []);
  expect(cachedConversation(db, CONVERSATION)).toBeUndefined();
  expect(cachedConversation(db, undefined)).toBeUndefined();
});

it('prefetches exactly the rows that are shown first', async () => {
  const db = await storeMessages(100);
  await prefetchNewest(db, conversation(100), initialFrom(conversation(100)));
  expect(cachedNewest(db, conversation(100), 40)?.map(({ seq }) => seq)).toEqual(
    Array.from({ length: 61 }, (_, index) => index + 40),
  );
  expect(cachedNewest(db, conversation(100), 10), 'older messages are not cached').toBeUndefined();
  expect(cachedNewest(db, conversation(101), 40), 'a newer message exists').toBeUndefined();
  expect(cachedNewest(db, { ...conversation(100), lastRev: 1 }, 40), 'a message has changed').toBeUndefined();
});

it('caches the shown rows of the last few conversations', async () => {
  const db = await storeMessages(3);
  const view = new ThreadWindow(db, CONVERSATION, ME);
  const firstChange = new Promise<void>((resolve) => view.shown.subscribe(resolve));
  view.start(1);
  await firstChange;
  view.stop();
  expect(cachedNewest(db, conversation(3), 1)).toHaveLength(3);
  for (let index = 0; index < 8; index += 1) cacheNewest(db, `other ${index}`, 0, []);
  expect(cachedNewest(db, conversation(3), 1)).toBeUndefined();
});

it('shows the cached rows until the database was read', async () => {
  const db = await storeMessages(3);
  await prefetchNewest(db, conversation(3), 1);
  await db.messages.clear();
  const view = new ThreadWindow(db, CONVERSATION, ME, cachedNewest(db, conversation(3), 1));
  expect(view.shown.get().rows).toHaveLength(3);
  const firstChange = new Promise<void>((resolve) => view.shown.subscribe(resolve));
  view.start(1);
  await firstChange;
  expect(view.shown.get().rows).toEqual([]);
  view.stop();
});
