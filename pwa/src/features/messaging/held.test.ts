import 'fake-indexeddb/auto';
import { beforeEach, expect, it } from 'vitest';
import { MERGE_TABLES, mergePage } from '@/offline/store/merge.ts';
import type { ConversationRow } from '@/offline/store/rows.ts';
import { CONVERSATION, freshDb, ME, message } from '@/offline/testkit.ts';
import {
  firstShown,
  heldConversation,
  heldNewest,
  holdConversations,
  holdNewest,
  readAhead,
} from './held.ts';
import { ThreadWindow } from './threadWindow.ts';

const conversation = (lastSeq: number, id = CONVERSATION) => ({ id, lastSeq, lastRev: 0 }) as ConversationRow;
const hold = async (count: number) => {
  const db = await freshDb();
  const page = Array.from({ length: count }, (_, index) => message(index + 1));
  await db.transact(MERGE_TABLES, (tx) => mergePage(tx, ME, page));
  return db;
};

beforeEach(() => {
  // As many as are kept take the place of whatever an earlier test left.
  for (let index = 0; index < 8; index += 1) holdNewest(`other ${index}`, 0, []);
  holdConversations([]);
});

it('knows the conversations of the list, and forgets whoever is gone from it', () => {
  holdConversations([conversation(1)]);
  expect(heldConversation(CONVERSATION)?.lastSeq).toBe(1);
  holdConversations([]);
  expect(heldConversation(CONVERSATION)).toBeUndefined();
  expect(heldConversation(undefined)).toBeUndefined();
});

it('reads ahead what is shown first, and only that', async () => {
  const db = await hold(100);
  await readAhead(db, conversation(100), firstShown(conversation(100)));
  expect(heldNewest(conversation(100), 40)?.map(({ seq }) => seq)).toEqual(
    Array.from({ length: 61 }, (_, index) => index + 40),
  );
  expect(heldNewest(conversation(100), 10), 'what lies further back is not held').toBeUndefined();
  expect(heldNewest(conversation(101), 40), 'a newer one is known of').toBeUndefined();
  expect(heldNewest({ ...conversation(100), lastRev: 1 }, 40), 'one has changed').toBeUndefined();
});

it('keeps what was on the screen, of the last few conversations', async () => {
  const db = await hold(3);
  const view = new ThreadWindow(db, CONVERSATION, ME);
  const drawn = new Promise<void>((resolve) => view.subscribe(resolve));
  view.start(1);
  await drawn;
  view.stop();
  expect(heldNewest(conversation(3), 1)).toHaveLength(3);
  for (let index = 0; index < 8; index += 1) holdNewest(`other ${index}`, 0, []);
  expect(heldNewest(conversation(3), 1)).toBeUndefined();
});

it('shows what is held until the device has answered', async () => {
  const db = await hold(3);
  await readAhead(db, conversation(3), 1);
  await db.messages.clear();
  const view = new ThreadWindow(db, CONVERSATION, ME, heldNewest(conversation(3), 1));
  expect(view.getShown().rows).toHaveLength(3);
  const drawn = new Promise<void>((resolve) => view.subscribe(resolve));
  view.start(1);
  await drawn;
  expect(view.getShown().rows).toEqual([]);
  view.stop();
});
