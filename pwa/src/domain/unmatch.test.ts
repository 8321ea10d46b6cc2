import 'fake-indexeddb/auto';
import { beforeEach, expect, it, vi } from 'vitest';
import { drain } from '@/offline/outbox/drain.ts';
import { unmatchRow } from '@/offline/outbox/outbox.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { drainEnv, FakeServer, freshDb, json, PEER } from '@/offline/testkit.ts';
import { cancelUnmatch, UNDO_MS, unmatch } from './unmatch.ts';

const MATCH = '019a0000-0000-7000-8000-0000000000d1';

let db: HeartwardDb;
let server: FakeServer;

beforeEach(async () => {
  db = await freshDb();
  server = new FakeServer();
});

const sent = () => server.requests.map(({ method, path }) => `${method} ${path}`);

it('sends the end of a match after ten seconds, however often the outbox is sent before', async () => {
  const enqueuedAt = Date.now();
  await unmatch(db, MATCH, PEER);
  const early = await drain(drainEnv(db, server).env, true);
  expect(sent()).toEqual([]);
  expect(early.nextAt).toBeGreaterThanOrEqual(enqueuedAt + UNDO_MS);
  await drain(drainEnv(db, server, { now: () => Date.now() + UNDO_MS }).env, false);
  expect(sent()).toEqual([`DELETE /api/matches/${MATCH}`]);
  expect(await db.outbox.count()).toBe(0);
  expect(await cancelUnmatch(db, PEER), 'too late').toBe(false);
});

it('keeps the match if it is undone before', async () => {
  await unmatch(db, MATCH, PEER);
  expect(await cancelUnmatch(db, PEER)).toBe(true);
  await drain(drainEnv(db, server, { now: () => Date.now() + UNDO_MS }).env, true);
  expect(sent()).toEqual([]);
});

it('cannot be undone while it is being sent', async () => {
  await unmatch(db, MATCH, PEER);
  await db.outbox.update(unmatchRow(PEER), { state: 'sending' });
  expect(await cancelUnmatch(db, PEER)).toBe(false);
  expect(await db.outbox.count()).toBe(1);
});

it('is over when the match had ended before', async () => {
  server.intercept = () => json(404, { detail: 'No such match.' });
  const onSettled = vi.fn();
  await unmatch(db, MATCH, PEER);
  await drain(drainEnv(db, server, { now: () => Date.now() + UNDO_MS, onSettled }).env, false);
  expect(onSettled).toHaveBeenCalledWith(expect.objectContaining({ ok: false, status: 404 }));
  expect(await db.outbox.count()).toBe(0);
});
