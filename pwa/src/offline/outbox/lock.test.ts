import 'fake-indexeddb/auto';
import { beforeEach, expect, it, vi } from 'vitest';
import type { HeartwardDb } from '../store/db.ts';
import { CONVERSATION, drainEnv, FakeServer, fakeLocks, freshDb, ME, PEER } from '../testkit.ts';
import { drain } from './drain.ts';
import { onTabMessage, postToTabs, withOutboxLock } from './lock.ts';
import { enqueue, startOutbox } from './outbox.ts';
import { senderOf } from './sender.ts';

let db: HeartwardDb;
let server: FakeServer;

beforeEach(async () => {
  vi.stubGlobal('navigator', { onLine: true, locks: fakeLocks() });
  db = await freshDb();
  senderOf(db).setDrain(drain);
  server = new FakeServer();
  vi.stubGlobal('fetch', server.fetch);
  return () => vi.unstubAllGlobals();
});

const write = (content: string) =>
  enqueue(db, { kind: 'message', conversationId: CONVERSATION, recipientId: PEER, content });

it('several tabs send each message once and in order', async () => {
  for (const content of ['1', '2', '3', '4', '5']) await write(content);
  const tab = () => withOutboxLock(ME, () => drain(drainEnv(db, server).env, false));
  const results = await Promise.all([tab(), tab(), tab()]);
  await vi.waitFor(async () => expect(await db.outbox.count()).toBe(0));
  expect(server.requests.map((request) => request.body.content)).toEqual(['1', '2', '3', '4', '5']);
  expect(results.filter((result) => result === 'busy').length).toBeGreaterThanOrEqual(2);
});

it('a message of another tab is received, and none of this tab', async () => {
  const received: boolean[] = [];
  const stop = onTabMessage(ME, (message) => message.kind === 'kick' && received.push(message.eager));
  postToTabs(ME, { kind: 'kick', eager: false });
  postToTabs(ME, { kind: 'kick', eager: true }, 'another tab');
  await vi.waitFor(() => expect(received).not.toEqual([]));
  expect(received).toEqual([true]);
  stop();
});

it('startOutbox sends rows that were waiting, and new ones', async () => {
  await write('before the start');
  const stop = startOutbox(db);
  const settledIds: string[] = [];
  senderOf(db).onSettled(({ row }) => settledIds.push(row.clientId));
  const second = await write('after the start');
  await vi.waitFor(() => expect(settledIds).toContain(second));
  expect(server.stored.map((row) => row.content)).toEqual(['before the start', 'after the start']);
  stop();
});

it('does not send a member’s rows with another member’s session', async () => {
  await write('first');
  await write('second');
  vi.stubGlobal('fetch', (...request: Parameters<typeof server.fetch>) => {
    localStorage.setItem('hw.member', 'another-member');
    return server.fetch(...request);
  });
  const stop = startOutbox(db);
  await vi.waitFor(() => expect(server.requests).not.toHaveLength(0));
  await vi.waitFor(async () => expect(await withOutboxLock(ME, async () => 'free')).toBe('free'));
  expect(server.requests.map((request) => request.body.content)).toEqual(['first']);
  stop();
});
