import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { MoodDay, PulseEntry } from '@/api/types.ts';
import { drain } from '@/offline/outbox/drain.ts';
import { findUnsent } from '@/offline/outbox/unsent.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { getMeta, setMeta } from '@/offline/store/meta.ts';
import { drainEnv, FakeServer, freshDb, json, ME } from '@/offline/testkit.ts';
import { questionOf } from './day.ts';
import { discardPulse, readPulse, refreshLookBack, savePulse } from './pulse.ts';
import { readPulseDraft, storePulseDraft } from './pulseDraft.ts';

const TODAY = '2026-11-25';
let db: HeartwardDb;
let server: FakeServer;

beforeEach(async () => {
  db = await freshDb();
  server = new FakeServer();
  server.intercept = ({ body }) => json(200, entryOf(body));
  return () => vi.unstubAllGlobals();
});

/** What the server stores of a request. */
const entryOf = (body: Record<string, string>, change: Partial<PulseEntry> = {}): PulseEntry => ({
  id: 'e',
  userId: ME,
  date: body.date ?? '',
  question: questionOf(body.date ?? ''),
  response: body.response ?? '',
  mood: 'hopeful',
  reflection: (body.response ?? '').slice('💚 Hopeful: '.length),
  clientId: body.clientId ?? '',
  editedAt: '2026-11-25T20:00:00.000Z',
  ...change,
});

const today = async () => (await readPulse(db))?.entries.find(({ date }) => date === TODAY);
const send = () => drain(drainEnv(db, server).env, true);

it('shows a saved entry at once and sends it in the words of the API', async () => {
  storePulseDraft(db, { date: TODAY, mood: 'hopeful', reflection: 'A wal' });
  await savePulse(db, TODAY, 'hopeful', ' A walk ');
  expect(await today()).toMatchObject({ mood: 'hopeful', reflection: 'A walk', state: 'waiting' });
  expect(readPulseDraft(db, TODAY)).toBeNull();
  expect((await findUnsent(db)).reflections).toBe(1);
  await send();
  expect(server.requests).toMatchObject([
    {
      method: 'POST',
      path: '/api/love-pulse',
      body: {
        userId: ME,
        date: TODAY,
        question: questionOf(TODAY),
        response: '💚 Hopeful: A walk',
        timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      },
    },
  ]);
  expect(Object.keys(server.requests[0]?.body ?? {}).sort()).toEqual(
    ['ageSeconds', 'clientId', 'date', 'question', 'response', 'timeZone', 'userId'].sort(),
  );
  expect(await today()).toMatchObject({ state: 'stored', isFromOtherDevice: false });
  expect(await db.outbox.count()).toBe(0);
});

it('sends only the last of several edits that wait', async () => {
  await savePulse(db, TODAY, 'hopeful', 'one');
  await savePulse(db, TODAY, 'grateful', 'two');
  await send();
  expect(server.requests.map(({ body }) => body.response)).toEqual(['🤍 Grateful: two']);
});

it('sends an edit that is made while the one before is in flight', async () => {
  server.intercept = async ({ body }, count) => {
    if (count === 1) await savePulse(db, TODAY, 'hopeful', 'two');
    return json(200, entryOf(body));
  };
  await savePulse(db, TODAY, 'hopeful', 'one');
  await send();
  expect(server.requests.map(({ body }) => body.response)).toEqual(['💚 Hopeful: one', '💚 Hopeful: two']);
  expect(await today()).toMatchObject({ reflection: 'two', state: 'stored', isFromOtherDevice: false });
});

it('says when a newer edit of another device is stored', async () => {
  server.intercept = ({ body }) =>
    json(200, entryOf(body, { clientId: 'other', reflection: 'from the laptop' }));
  await savePulse(db, TODAY, 'hopeful', 'from the phone');
  await send();
  expect(await today()).toMatchObject({ reflection: 'from the laptop', isFromOtherDevice: true });
  server.intercept = ({ body }) => json(200, entryOf(body));
  await savePulse(db, TODAY, 'hopeful', 'from the phone again');
  await send();
  expect(await today()).toMatchObject({ isFromOtherDevice: false });
});

it('keeps the text of a rejected entry until the member changes or discards it', async () => {
  server.intercept = () => json(422, { title: 'Invalid', status: 422, detail: 'Too late.' });
  await savePulse(db, TODAY, 'hopeful', 'late');
  await send();
  expect(await today()).toMatchObject({ reflection: 'late', state: 'failed', reason: 'Too late.' });
  await savePulse(db, TODAY, 'hopeful', 'again');
  expect(await today()).toMatchObject({ reflection: 'again', state: 'waiting' });
  await send();
  storePulseDraft(db, { date: TODAY, mood: 'hopeful', reflection: 'again and' });
  await discardPulse(db, TODAY);
  expect(readPulseDraft(db, TODAY)).toBeNull();
  expect(await today()).toBeUndefined();
});

it("keeps the streak and the other days when the server's answer is stored", async () => {
  const old = entryOf({ date: '2026-11-24', response: '💚 Hopeful: before', clientId: 'c' });
  const streak = { streak: 3, entries: 9, today: TODAY, writtenToday: false };
  await setMeta(db, 'pulse', { entries: [old], next: 'cursor', streak });
  await savePulse(db, TODAY, 'hopeful', 'now');
  await send();
  expect(await getMeta(db, 'pulse')).toMatchObject({
    entries: [{ date: TODAY }, { date: '2026-11-24' }],
    next: 'cursor',
    streak,
  });
});

describe('looking back', () => {
  const date = '2025-11-25';
  const entry = entryOf({ date, response: '💚 Hopeful: Snow', clientId: 'c' });
  let paths: string[];

  /** Serves a year's days, and the entry of each. */
  function serve(days: MoodDay[]) {
    paths = [];
    vi.stubGlobal('fetch', async (request: Request) => {
      const { pathname } = new URL(request.url);
      paths.push(pathname.slice(`/api/love-pulse/${ME}`.length));
      return Response.json(pathname.endsWith('/years/2025') ? days : entry);
    });
  }
  const refresh = () => refreshLookBack(db, date, new AbortController().signal);

  it('stores the entry of that date until it is gone', async () => {
    serve([{ date, mood: 'hopeful' }]);
    await refresh();
    expect(await getMeta(db, 'pulse:lookBack')).toEqual(entry);
    serve([{ date: '2025-11-26', mood: 'hopeful' }]);
    await refresh();
    expect(await getMeta(db, 'pulse:lookBack')).toBeUndefined();
  });

  it('asks for no entry of a day without one', async () => {
    serve([]);
    await refresh();
    expect(paths).toEqual(['/years/2025']);
  });
});
