import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { HeartwardDb } from '../store/db.ts';
import { CONVERSATION, drainEnv, FakeServer, freshDb, json, ME, PEER } from '../testkit.ts';
import { backoff, drain } from './drain.ts';
import { enqueue } from './outbox.ts';

let db: HeartwardDb;
let server: FakeServer;

beforeEach(async () => {
  db = await freshDb();
  server = new FakeServer();
  return () => vi.unstubAllGlobals();
});

const write = (content: string, conversationId = CONVERSATION) =>
  enqueue(db, { kind: 'message', conversationId, recipientId: PEER, content });
const contents = () => server.requests.map((request) => request.body.content);
const thread = async () => {
  const rows = await db.messages
    .where('[conversationId+order]')
    .between([CONVERSATION, 0], [CONVERSATION, 2e12])
    .toArray();
  return rows.map((row) => [row.content, row.state, row.seq]);
};

describe('enqueue', () => {
  it('stores the message and its outbox row and deletes the draft in one transaction', async () => {
    await db.drafts.put({ conversationId: CONVERSATION, content: 'hello', updatedAt: 1 });
    const clientId = await write('hello');
    expect(await thread()).toEqual([['hello', 'waiting', null]]);
    expect(await db.outbox.get(clientId)).toMatchObject({
      userId: ME,
      state: 'queued',
      localSeq: 1,
      attempts: 0,
    });
    expect(await db.drafts.count()).toBe(0);
  });

  it('stores neither when one of them cannot be stored', async () => {
    const put = vi.spyOn(db.messages, 'put').mockRejectedValue(new Error('disk full'));
    await expect(write('lost?')).rejects.toThrow('disk full');
    put.mockRestore();
    expect([await db.outbox.count(), await db.messages.count()]).toEqual([0, 0]);
  });

  it('combines a receipt with the waiting one', async () => {
    await enqueue(db, { kind: 'receipt', conversationId: CONVERSATION, deliveredSeq: 9 });
    await enqueue(db, { kind: 'receipt', conversationId: CONVERSATION, deliveredSeq: 4, readSeq: 3 });
    expect((await db.outbox.toArray()).map((row) => row.body)).toEqual([
      { kind: 'receipt', deliveredSeq: 9, readSeq: 3 },
    ]);
  });
});

describe('drain', () => {
  it('sends a row that becomes due between two reads, while another one is under way', async () => {
    const dueAt = 1_000_000;
    const waiting = await write('waiting', PEER);
    await db.outbox.update(waiting, { nextAt: dueAt, retryAfterLocked: true });
    await write('slow');
    const slow = Promise.withResolvers<undefined>();
    server.intercept = ({ body }) => (body.content === 'slow' ? slow.promise : undefined);
    let now = dueAt - 1;
    let reads = 0;
    const { env } = drainEnv(db, server, {
      now: () => now,
      transact: (tables, work) => {
        reads += 1;
        // The rows were reset and read; what follows reads them again.
        if (reads === 3) now = dueAt + 1;
        return db.transact(tables, work);
      },
    });
    const draining = drain(env, false);
    await vi.waitFor(() => expect(contents()).toContain('waiting'));
    slow.resolve(undefined);
    await draining;
    expect(await db.outbox.count()).toBe(0);
  });

  it('stores the profile with which the server answers, for a start without a connection', async () => {
    await enqueue(db, { kind: 'start', answers: { gender: 'woman', startStep: 'seek' } });
    const answered = { id: ME, gender: 'woman', startStep: 'seek', loveReflection: '' };
    server.intercept = () => json(200, answered);
    await drain(drainEnv(db, server).env, false);
    expect(await db.me.toArray()).toEqual([answered]);
    expect(await db.outbox.count()).toBe(0);
  });

  it('sends a pass, its undoing and a like with a comment in the requests of the API', async () => {
    const passId = await enqueue(db, { kind: 'pass', targetUserId: PEER });
    await enqueue(db, { kind: 'unpass', targetUserId: PEER, passId });
    await enqueue(db, { kind: 'unpass', targetUserId: ME });
    await drain(drainEnv(db, server).env, false);
    const prompt = 'A perfect Sunday';
    await enqueue(db, { kind: 'like', toUserId: PEER, likeType: 'like', comment: 'Mine too', prompt });
    await drain(drainEnv(db, server).env, false);
    expect(server.requests).toEqual([
      { method: 'POST', path: '/api/passes', body: { targetUserId: PEER, clientId: passId } },
      { method: 'DELETE', path: `/api/passes/${PEER}?clientId=${passId}`, body: {} },
      { method: 'DELETE', path: `/api/passes/${ME}`, body: {} },
      {
        method: 'POST',
        path: '/api/likes',
        body: { toUserId: PEER, likeType: 'like', comment: 'Mine too', prompt },
      },
    ]);
    expect(await db.outbox.count()).toBe(0);
  });

  it('stores the number of shares with the end of the share, so that it never falls', async () => {
    const moment = { id: 'm', shareCount: 4 };
    const value = { items: [moment, { ...moment, id: 'other' }], next: null, consents: [] };
    await db.meta.put({ key: 'moments', value } as never);
    server.intercept = () => json(200, { shareCount: 5 });
    await enqueue(db, { kind: 'share', momentId: 'm', channel: 'copy' });
    await drain(drainEnv(db, server).env, false);
    expect(await db.outbox.count()).toBe(0);
    expect(await db.meta.get('moments')).toMatchObject({
      value: {
        items: [
          { id: 'm', shareCount: 5 },
          { id: 'other', shareCount: 4 },
        ],
      },
    });
  });

  it('does not send the undoing of a pass before the pass', async () => {
    server.intercept = () => json(503, {});
    await enqueue(db, { kind: 'pass', targetUserId: PEER });
    await enqueue(db, { kind: 'unpass', targetUserId: PEER });
    await drain(drainEnv(db, server).env, false);
    expect(server.requests.map(({ method }) => method)).toEqual(['POST']);
  });

  it('sends the messages of a conversation in order, one at a time, and conversations in parallel', async () => {
    const inFlight: string[] = [];
    let startOther = () => {};
    const otherStarted = new Promise<void>((resolve) => (startOther = resolve));
    server.intercept = async ({ body }) => {
      const lane = String(body.content).slice(0, 1);
      expect(inFlight).not.toContain(lane);
      inFlight.push(lane);
      if (lane === 'b') startOther();
      await otherStarted; // only ends if the conversations are sent in parallel
      inFlight.splice(inFlight.indexOf(lane), 1);
      return undefined;
    };
    for (const content of ['a1', 'a2', 'a3']) await write(content);
    for (const content of ['b1', 'b2']) await write(content, 'other-conversation');
    await drain(drainEnv(db, server).env, false);
    expect(contents().filter((text) => text?.startsWith('a'))).toEqual(['a1', 'a2', 'a3']);
    expect(contents().filter((text) => text?.startsWith('b'))).toEqual(['b1', 'b2']);
    expect(await db.outbox.count()).toBe(0);
  });

  it('repeats a row at the end of its backoff while a request of another lane hangs', async () => {
    const slow = Promise.withResolvers<undefined>();
    server.intercept = ({ body }, count) => {
      if (body.content === 'slow') return slow.promise;
      return count < 3 ? json(503, {}) : undefined;
    };
    await write('slow');
    await enqueue(db, { kind: 'pass', targetUserId: PEER });
    const done = drain(drainEnv(db, server).env, false);
    await vi.waitFor(() => expect(server.requests).toHaveLength(3), 3000);
    expect(server.requests.at(-1)?.path).toBe('/api/passes');
    slow.resolve(undefined);
    await done;
  });

  it('repeats a row at once, while a request of another lane hangs, when sending may succeed now', async () => {
    const slow = Promise.withResolvers<undefined>();
    server.intercept = ({ body }, count) => {
      if (body.content === 'slow') return slow.promise;
      return count < 3 ? json(503, {}) : undefined;
    };
    let wake: (eager: boolean) => void = () => undefined;
    await write('slow');
    await enqueue(db, { kind: 'pass', targetUserId: PEER });
    const rowAdded = () => new Promise<boolean>((resolve) => (wake = resolve));
    const done = drain(drainEnv(db, server, { rowAdded }).env, false);
    await vi.waitFor(() => expect(server.requests).toHaveLength(2));
    await vi.waitFor(() => {
      wake(true);
      expect(server.requests).toHaveLength(3);
    }, 500);
    slow.resolve(undefined);
    await done;
  });

  it('sends a message of another conversation while a request hangs', async () => {
    let addRow = () => {};
    let release = () => {};
    server.intercept = ({ body }) =>
      body.content === 'slow' ? new Promise((resolve) => (release = () => resolve(undefined))) : undefined;
    await write('slow');
    const rowAdded = () => new Promise<boolean>((resolve) => (addRow = () => resolve(false)));
    const done = drain(drainEnv(db, server, { rowAdded }).env, false);
    await vi.waitFor(() => expect(contents()).toEqual(['slow']));
    await write('quick', 'other-conversation');
    addRow();
    await vi.waitFor(() => expect(server.stored.map((row) => row.content)).toEqual(['quick']));
    release();
    await done;
    expect(await db.outbox.count()).toBe(0);
  });

  it('replaces the waiting message by the stored one', async () => {
    await write('one');
    await drain(drainEnv(db, server).env, false);
    expect(await thread()).toEqual([['one', 'stored', 1]]);
  });

  it.each([1, 3])(
    'stores a message once if the response is lost after the commit, %i times',
    async (losses) => {
      server.intercept = ({ body }, count) => {
        if (count > losses) return undefined;
        server.accept(body);
        throw new TypeError('connection reset');
      };
      await write('one');
      await write('two');
      for (let attempt = 0; attempt < losses; attempt++) {
        const { nextAt } = await drain(drainEnv(db, server).env, true);
        expect(nextAt).toBeGreaterThan(Date.now());
        expect((await thread())[0]).toEqual(['one', 'waiting', null]);
      }
      await drain(drainEnv(db, server).env, true);
      expect(server.stored.map((row) => row.content)).toEqual(['one', 'two']);
      expect(await thread()).toEqual([
        ['one', 'stored', 1],
        ['two', 'stored', 2],
      ]);
    },
  );

  it.each([408, 429, 500, 502, 503])(
    'retries after status %i, and sends no later row of the lane meanwhile',
    async (status) => {
      server.intercept = () => json(status, {});
      await write('one');
      await write('two');
      await drain(drainEnv(db, server).env, false);
      expect(contents()).toEqual(['one']);
      expect((await db.outbox.toArray()).map((row) => [row.state, row.attempts])).toEqual([
        ['queued', 1],
        ['queued', 0],
      ]);
    },
  );

  it.each([200, 401, 403, 404])(
    'retries after an HTML page with status %i, as after a network error',
    async (status) => {
      server.intercept = () =>
        new Response('<html>Sign in to this Wi-Fi', { status, headers: { 'Content-Type': 'text/html' } });
      await write('one');
      await enqueue(db, { kind: 'pass', targetUserId: PEER });
      const { unauthorized } = await drain(drainEnv(db, server).env, false);
      expect(unauthorized).toBe(false);
      expect(await thread()).toEqual([['one', 'waiting', null]]);
      expect((await db.outbox.toArray()).map((row) => row.state)).toEqual(['queued', 'queued']);
    },
  );

  it('respects Retry-After of a proxy that responds with plain text', async () => {
    server.intercept = () => new Response('busy', { status: 503, headers: { 'Retry-After': '40' } });
    await write('one');
    const now = Date.now();
    const { nextAt } = await drain(drainEnv(db, server, { now: () => now }).env, false);
    expect(nextAt).toBe(now + 40_000);
  });

  it.each([
    ['a lost reply', () => Promise.reject(new TypeError('no network'))],
    ['a full server', () => Promise.resolve(json(503, {}, { 'Retry-After': '40' }))],
    ['a limit', () => Promise.resolve(json(429, {}, { 'Retry-After': '40' }))],
  ])('sends again after %s although the clock was set back meanwhile', async (_, respond) => {
    const hour = 3_600_000;
    for (const setBackMs of [60_000, 12 * hour, 24 * hour, 7 * 24 * hour]) {
      server.intercept = respond;
      await write('one');
      const now = Date.now();
      await drain(drainEnv(db, server, { now: () => now }).env, false);
      server.intercept = () => undefined;
      await drain(drainEnv(db, server, { now: () => now - setBackMs }).env, false);
      expect(await db.outbox.count(), `${setBackMs} ms`).toBe(0);
    }
  });

  it('waits at most five minutes for a proxy’s Retry-After', async () => {
    server.intercept = () => new Response('away', { status: 503, headers: { 'Retry-After': '86400' } });
    await write('one');
    const now = Date.now();
    const { nextAt } = await drain(drainEnv(db, server, { now: () => now }).env, false);
    expect(nextAt).toBe(now + 5 * 60_000);
  });

  it('waits for Retry-After, also after an eager trigger', async () => {
    server.intercept = () => json(429, {}, { 'Retry-After': '40' });
    await write('one');
    const now = Date.now();
    const { nextAt } = await drain(drainEnv(db, server, { now: () => now }).env, false);
    expect(nextAt).toBe(now + 40_000);
    await drain(drainEnv(db, server, { now: () => now + 39_999 }).env, true);
    expect(server.requests).toHaveLength(1);
    server.intercept = () => undefined;
    await drain(drainEnv(db, server, { now: () => now + 40_000 }).env, false);
    expect(await db.outbox.count()).toBe(0);
  });

  it('stops at status 401 and keeps the rows', async () => {
    server.intercept = () => json(401, {});
    await write('one');
    await enqueue(db, { kind: 'pass', targetUserId: PEER });
    const { unauthorized } = await drain(drainEnv(db, server).env, false);
    expect(unauthorized).toBe(true);
    expect((await db.outbox.toArray()).map((row) => row.state)).toEqual(['queued', 'queued']);
  });

  it('sends the member’s id with each write, because the cookie may be another member’s', async () => {
    const members: (string | null)[] = [];
    const fetch: typeof server.fetch = (input, init) => {
      members.push(new Request(input, init).headers.get('X-Member'));
      return server.fetch(input, init);
    };
    await write('one');
    await enqueue(db, { kind: 'like', toUserId: PEER, likeType: 'like' });
    await drain(drainEnv(db, server, { fetch }).env, false);
    expect(members).toEqual([ME, ME]);
  });

  it('sends nothing once the member has signed out', async () => {
    await write('one');
    await drain(drainEnv(db, server, { isStopped: () => true }).env, true);
    expect(server.requests).toHaveLength(0);
  });

  it('sends a row again that was in flight during a crash', async () => {
    const clientId = await write('one');
    await db.outbox.update(clientId, { state: 'sending', attempts: 1 });
    await drain(drainEnv(db, server).env, false);
    expect(server.stored).toHaveLength(1);
    expect(await db.outbox.count()).toBe(0);
  });

  it.each([
    ['stored', () => undefined],
    ['rejected', () => json(404, { title: 'Gone' })],
  ])('stores nothing of a message that was purged in flight and then %s', async (_, respond) => {
    server.intercept = async () => {
      // The contact has ended: the row and the conversation are deleted.
      await db.outbox.clear();
      await db.messages.clear();
      return respond();
    };
    await write('one');
    await drain(drainEnv(db, server).env, false);
    expect([await db.outbox.count(), await db.messages.count(), await db.threads.count()]).toEqual([0, 0, 0]);
  });

  it('sends a receipt again that was increased in flight', async () => {
    server.intercept = async (_, count) => {
      if (count === 1)
        await enqueue(db, { kind: 'receipt', conversationId: CONVERSATION, deliveredSeq: 2, readSeq: 2 });
      return undefined;
    };
    await enqueue(db, { kind: 'receipt', conversationId: CONVERSATION, deliveredSeq: 1 });
    await drain(drainEnv(db, server).env, false);
    expect(server.requests.map((request) => request.body)).toEqual([
      { deliveredSeq: 1 },
      { deliveredSeq: 2, readSeq: 2 },
    ]);
    expect(await db.outbox.count()).toBe(0);
  });

  it('sends a pass while a like waits until tomorrow', async () => {
    server.intercept = ({ path }) =>
      path === '/api/likes' ? json(429, { detail: 'Tomorrow.' }, { 'Retry-After': '3600' }) : undefined;
    await enqueue(db, { kind: 'like', toUserId: PEER, likeType: 'like' });
    await enqueue(db, { kind: 'pass', targetUserId: 'someone' });
    await drain(drainEnv(db, server).env, false);
    expect(server.requests).toContainEqual({
      method: 'POST',
      path: '/api/passes',
      body: { targetUserId: 'someone', clientId: expect.any(String) },
    });
    expect((await db.outbox.toArray()).map((row) => row.kind)).toEqual(['like']);
  });
});

it('backoff doubles from 1 s to 60 s, with jitter in the upper half', () => {
  expect([1, 2, 3, 7, 50].map((attempts) => backoff(attempts, () => 1))).toEqual([
    1000, 2000, 4000, 60_000, 60_000,
  ]);
  expect(backoff(1, () => 0)).toBe(500);
});
