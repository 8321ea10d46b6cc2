import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { HeartwardDb } from '../store/db.ts';
import { MERGE_TABLES, mergePage } from '../store/merge.ts';
import { CONVERSATION, drainEnv, FakeServer, freshDb, json, ME, message, PEER, summary } from '../testkit.ts';
import { drain } from './drain.ts';
import { enqueue } from './outbox.ts';

let db: HeartwardDb;
let server: FakeServer;

beforeEach(async () => {
  db = await freshDb();
  server = new FakeServer();
  return () => vi.unstubAllGlobals();
});

describe('reactions and deletions', () => {
  const react = (emoji: string | null) =>
    enqueue(db, { kind: 'reaction', conversationId: CONVERSATION, seq: 1, emoji });
  const storeMessage = () => db.transact(MERGE_TABLES, (tx) => mergePage(tx, ME, [message(1)]));
  const messageRow = () => db.messages.get([PEER, 'client-1']);
  const path = `/api/conversations/${CONVERSATION}/messages/1`;
  const respond = (change: Parameters<typeof message>[1]) => () => json(200, message(1, change));

  it('a changed reaction is sent once, with the newest value', async () => {
    await storeMessage();
    await react('👍');
    await react('❤️');
    server.intercept = respond({ rev: 1, receiverReaction: '❤️' });
    await drain(drainEnv(db, server).env, true);
    expect(server.requests).toEqual([{ method: 'PUT', path: `${path}/reaction`, body: { emoji: '❤️' } }]);
    expect(await messageRow()).toMatchObject({ receiverReaction: '❤️', rev: 1 });
    expect(await db.outbox.count()).toBe(0);
  });

  it('a removed reaction and a deletion are sent as DELETE', async () => {
    await storeMessage();
    await react(null);
    await enqueue(db, { kind: 'delete', conversationId: CONVERSATION, seq: 1 });
    let rev = 0;
    server.intercept = () => json(200, message(1, { rev: ++rev }));
    await drain(drainEnv(db, server).env, true);
    expect(server.requests.map(({ method, path: requestPath }) => [method, requestPath])).toEqual([
      ['DELETE', `${path}/reaction`],
      ['DELETE', path],
    ]);
    expect((await db.threads.get(CONVERSATION))?.rev).toBe(2);
  });

  it('a rejected reaction is reverted and reported', async () => {
    await storeMessage();
    await react('👍');
    server.intercept = () => json(422, { detail: 'No emoji' });
    const { env, results } = drainEnv(db, server);
    await drain(env, true);
    expect(await db.outbox.count()).toBe(0);
    expect(results).toMatchObject([{ ok: false, status: 422 }]);
    expect((await messageRow())?.receiverReaction).toBeNull();
  });

  it('a reaction is sent again after a response that is not the server’s', async () => {
    await storeMessage();
    await react('👍');
    server.intercept = () => json(200, { hello: 'from the hotel' });
    await drain(drainEnv(db, server).env, true);
    expect(await db.outbox.count()).toBe(1);
  });
});

it('sends once that the pictures are shown, again after a response that is not the server’s', async () => {
  await enqueue(db, { kind: 'showPictures', conversationId: CONVERSATION });
  await enqueue(db, { kind: 'showPictures', conversationId: CONVERSATION });
  server.intercept = () => json(200, { hello: 'from the hotel' });
  await drain(drainEnv(db, server).env, true);
  expect(await db.outbox.count()).toBe(1);
  server.intercept = () => json(200, summary({ picturesShown: true }));
  server.requests.length = 0;
  await drain(drainEnv(db, server).env, true);
  expect(server.requests.map(({ method, path, body }) => [method, path, body])).toEqual([
    ['PUT', `/api/conversations/${CONVERSATION}/settings`, { picturesShown: true }],
  ]);
  expect(await db.outbox.count()).toBe(0);
});

it('sends a seen match once, and deletes its row if the match does not exist', async () => {
  await enqueue(db, { kind: 'seen', matchId: 'm1' });
  await enqueue(db, { kind: 'seen', matchId: 'm1' });
  await enqueue(db, { kind: 'seen', matchId: 'm2' });
  server.intercept = ({ path }) => (path.includes('m2') ? json(404, { detail: 'gone' }) : undefined);
  await drain(drainEnv(db, server).env, true);
  expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /api/matches/m1/seen',
    'POST /api/matches/m2/seen',
  ]);
  expect(await db.outbox.count()).toBe(0);
});
