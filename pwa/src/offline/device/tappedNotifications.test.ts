import 'fake-indexeddb/auto';
import { liveQuery } from 'dexie';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { HeartwardDb } from '../store/db.ts';
import { CONVERSATION, freshDb, PEER, summary } from '../testkit.ts';
import { watchReadMessages } from './tappedNotifications.ts';

let db: HeartwardDb;
let closedSeqs: number[];
let asked: number;
let stop: () => void;

const messageNotification = (id: string, seq: number) => ({
  data: { conversation: { id, seq } },
  close: () => closedSeqs.push(seq),
});

const putConversation = (lastSeq: number, readSeq: number) =>
  db.conversations.put({ ...summary({ lastSeq, readSeq }), userId: PEER, sortAt: '' });

beforeEach(async () => {
  db = await freshDb();
  closedSeqs = [];
  asked = 0;
  const getNotifications = async () => {
    asked++;
    return [
      messageNotification(CONVERSATION, 3),
      messageNotification(CONVERSATION, 4),
      messageNotification('a newer conversation', 1),
      { data: null, close: () => closedSeqs.push(0) },
    ];
  };
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: async () => ({ getNotifications }) } });
});

afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

it('closes the notifications of messages that were read', async () => {
  await putConversation(3, 3);
  stop = watchReadMessages(db);
  await vi.waitFor(() => expect(closedSeqs).toEqual([3]));
  await putConversation(4, 4);
  await vi.waitFor(() => expect(closedSeqs).toEqual([3, 3, 4]));
});

it('does not ask for the notifications when a message arrives, but when the app comes to the front', async () => {
  await putConversation(3, 0);
  let seen = 0;
  const arrivals = liveQuery(() => db.conversations.get(CONVERSATION)).subscribe((row) => {
    seen = row?.lastSeq ?? 0;
  });
  stop = watchReadMessages(db);
  await vi.waitFor(() => expect(asked).toBe(1));
  for (const lastSeq of [4, 5]) {
    await putConversation(lastSeq, 0);
    await vi.waitFor(() => expect(seen).toBe(lastSeq));
  }
  document.dispatchEvent(new Event('visibilitychange'));
  await vi.waitFor(() => expect(asked).toBe(2));
  await putConversation(5, 3);
  await vi.waitFor(() => expect(closedSeqs).toEqual([3]));
  expect(asked).toBe(3);
  arrivals.unsubscribe();
});
