import 'fake-indexeddb/auto';
import { beforeEach, expect, it } from 'vitest';
import type { HeartwardDb } from '../store/db.ts';
import { CONVERSATION, drainEnv, FakeServer, freshDb, json, PEER } from '../testkit.ts';
import { drain } from './drain.ts';
import { enqueue } from './outbox.ts';
import { discard, retry } from './rejectedRows.ts';

let db: HeartwardDb;
let server: FakeServer;

beforeEach(async () => {
  db = await freshDb();
  server = new FakeServer();
});

const write = (content: string) =>
  enqueue(db, { kind: 'message', conversationId: CONVERSATION, recipientId: PEER, content });
const thread = async () => {
  const rows = await db.messages.orderBy('[conversationId+order]').toArray();
  return rows.map((row) => [row.content, row.state, row.seq]);
};

it.each([403, 404, 409, 422])(
  'status %i marks the message as failed, keeps its text, and the next one is sent',
  async (status) => {
    server.intercept = ({ body }) => (body.content === 'bad' ? json(status, { detail: 'No.' }) : undefined);
    const bad = await write('bad');
    await write('good');
    const { env, results } = drainEnv(db, server);
    await drain(env, false);
    expect(await thread()).toEqual([
      ['good', 'stored', 1],
      ['bad', 'failed', null],
    ]);
    expect(await db.outbox.get(bad)).toMatchObject({ state: 'failed', status, reason: 'No.' });
    expect(results[0]).toMatchObject({ ok: false, status, reason: 'No.' });
  },
);

it('a rejected row is sent again by retry, with a new id after a conflict', async () => {
  server.intercept = (_, count) => (count === 1 ? json(409, { detail: 'Another text.' }) : undefined);
  const clientId = await write('again');
  await drain(drainEnv(db, server).env, false);
  await retry(db, clientId);
  await drain(drainEnv(db, server).env, false);
  expect(await db.outbox.count()).toBe(0);
  expect(await thread()).toEqual([['again', 'stored', 1]]);
  expect(server.stored[0]?.clientId).not.toBe(clientId);
});

it('a rejected row is deleted by discard, but a waiting one is not', async () => {
  const clientId = await write('one');
  await discard(db, clientId);
  expect(await db.outbox.count()).toBe(1);
  server.intercept = () => json(404, {});
  await drain(drainEnv(db, server).env, false);
  await discard(db, clientId);
  expect([await db.outbox.count(), await db.messages.count()]).toEqual([0, 0]);
});
