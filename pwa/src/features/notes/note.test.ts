import 'fake-indexeddb/auto';
import { beforeEach, expect, it, vi } from 'vitest';
import { drain } from '@/offline/outbox/drain.ts';
import { findUnsent } from '@/offline/outbox/unsent.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { drainEnv, FakeServer, freshDb, json } from '@/offline/testkit.ts';
import { fetchNote, readNote, saveNote } from './note.ts';

const BEN = '019a0000-0000-7000-8000-0000000000be';
const stored = (content: string, editedAt = '2026-11-25T20:00:00.000Z') => json(200, { content, editedAt });
let db: HeartwardDb;
let server: FakeServer;

beforeEach(async () => {
  db = await freshDb();
  server = new FakeServer();
  server.intercept = ({ body }) => stored(body.content ?? '');
  return () => vi.unstubAllGlobals();
});

const send = () => drain(drainEnv(db, server).env, true);

it('shows a note at once and sends it with its age', async () => {
  expect(await readNote(db, BEN)).toBeNull();
  await saveNote(db, BEN, ' Her sister is called Mo ');
  expect(await readNote(db, BEN)).toEqual({ content: 'Her sister is called Mo', state: 'waiting' });
  expect((await findUnsent(db)).changes).toBe(1);
  await send();
  expect(server.requests).toMatchObject([
    {
      method: 'PUT',
      path: `/api/match-notes/${BEN}`,
      body: { content: 'Her sister is called Mo', ageSeconds: expect.any(Number) },
    },
  ]);
  expect(await readNote(db, BEN)).toEqual({ content: 'Her sister is called Mo', state: 'stored' });
  expect(await db.outbox.count()).toBe(0);
});

it('sends only the last of several edits, and shows what another device wrote later', async () => {
  await saveNote(db, BEN, 'one');
  await saveNote(db, BEN, 'two');
  server.intercept = () => stored('from the other phone');
  await send();
  expect(server.requests.map(({ body }) => body.content)).toEqual(['two']);
  expect((await readNote(db, BEN))?.content).toBe('from the other phone');
});

it('is not replaced by a response from before an edit', async () => {
  server.intercept = () => stored('new', '2026-11-25T21:00:00.000Z');
  await saveNote(db, BEN, 'new');
  await send();
  vi.stubGlobal('fetch', () => Promise.resolve(stored('old')));
  await fetchNote(db, BEN);
  expect((await readNote(db, BEN))?.content).toBe('new');
  vi.stubGlobal('fetch', () => Promise.resolve(stored('newest', '2026-11-25T22:00:00.000Z')));
  await fetchNote(db, BEN);
  expect((await readNote(db, BEN))?.content).toBe('newest');
});

it('does not wait for a match that has ended', async () => {
  server.intercept = () => json(404, { kind: 'not_found', detail: 'We could not find that.' });
  await saveNote(db, BEN, 'one');
  await send();
  expect(await db.outbox.count()).toBe(0);
});
