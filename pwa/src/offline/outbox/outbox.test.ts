import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { retryAfter } from '../../api/request.ts';
import type { HeartwardDb } from '../store/db.ts';
import { MERGE_TABLES, mergePage } from '../store/merge.ts';
import { CONVERSATION, drainEnv, FakeServer, freshDb, json, ME, message, PEER } from '../testkit.ts';
import { backoff, drain } from './drain.ts';
import { enqueue } from './outbox.ts';
import { discard, retry } from './refused.ts';

let db: HeartwardDb;
let server: FakeServer;

beforeEach(async () => {
  // Only the drains that a test starts: the page's own triggers would race them.
  vi.stubGlobal('setTimeout', (work: () => void, ms?: number) =>
    ms === undefined ? 0 : setTimeoutNow(work, ms),
  );
  db = await freshDb();
  server = new FakeServer();
  return () => vi.unstubAllGlobals();
});
const setTimeoutNow = globalThis.setTimeout;

const write = (content: string, conversationId = CONVERSATION) =>
  enqueue({ kind: 'message', conversationId, recipientId: PEER, content });
const contents = () => server.requests.map((request) => request.body.content);
const thread = async () => {
  const rows = await db.messages
    .where('[conversationId+order]')
    .between([CONVERSATION, 0], [CONVERSATION, 2e12])
    .toArray();
  return rows.map((row) => [row.content, row.state, row.seq]);
};

describe('storing', () => {
  it('writes bubble and outbox row together and clears the draft with them', async () => {
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

  it('raises a waiting receipt instead of adding another', async () => {
    await enqueue({ kind: 'receipt', conversationId: CONVERSATION, deliveredSeq: 9 });
    await enqueue({ kind: 'receipt', conversationId: CONVERSATION, deliveredSeq: 4, readSeq: 3 });
    expect((await db.outbox.toArray()).map((row) => row.body)).toEqual([
      { kind: 'receipt', deliveredSeq: 9, readSeq: 3 },
    ]);
  });
});

describe('sending', () => {
  it('sends a pass, its taking back and a like with its words as the server expects them', async () => {
    const passId = await enqueue({ kind: 'pass', targetUserId: PEER });
    await enqueue({ kind: 'unpass', targetUserId: PEER, passId });
    await enqueue({ kind: 'unpass', targetUserId: ME });
    await drain(drainEnv(db, server).env, false);
    const prompt = 'A perfect Sunday';
    await enqueue({ kind: 'like', toUserId: PEER, likeType: 'like', comment: 'Mine too', prompt });
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

  it('never lets a pass be taken back before it was sent', async () => {
    server.intercept = () => json(503, {});
    await enqueue({ kind: 'pass', targetUserId: PEER });
    await enqueue({ kind: 'unpass', targetUserId: PEER });
    await drain(drainEnv(db, server).env, false);
    expect(server.requests.map(({ method }) => method)).toEqual(['POST']);
  });

  it('keeps the order of a conversation, one in flight, and runs conversations in parallel', async () => {
    const inFlight: string[] = [];
    const together = new Set<string>();
    server.intercept = async ({ body }) => {
      const lane = String(body.content).slice(0, 1);
      expect(inFlight).not.toContain(lane);
      inFlight.push(lane);
      if (inFlight.length > 1) together.add(inFlight.join(''));
      await new Promise((resolve) => setTimeoutNow(resolve, 5));
      inFlight.splice(inFlight.indexOf(lane), 1);
      return undefined;
    };
    for (const content of ['a1', 'a2', 'a3']) await write(content);
    for (const content of ['b1', 'b2']) await write(content, 'other-conversation');
    await drain(drainEnv(db, server).env, false);
    expect(contents().filter((text) => text?.startsWith('a'))).toEqual(['a1', 'a2', 'a3']);
    expect(contents().filter((text) => text?.startsWith('b'))).toEqual(['b1', 'b2']);
    expect(together.size).toBeGreaterThan(0);
    expect(await db.outbox.count()).toBe(0);
  });

  it('takes up a conversation that is written to while another hangs', async () => {
    let wake = () => {};
    let release = () => {};
    server.intercept = ({ body }) =>
      body.content === 'slow' ? new Promise((resolve) => (release = () => resolve(undefined))) : undefined;
    await write('slow');
    const woken = () => new Promise<void>((resolve) => (wake = resolve));
    const done = drain(drainEnv(db, server, { woken }).env, false);
    await vi.waitFor(() => expect(contents()).toEqual(['slow']));
    await write('quick', 'other-conversation');
    wake();
    await vi.waitFor(() => expect(server.stored.map((row) => row.content)).toEqual(['quick']));
    release();
    await done;
    expect(await db.outbox.count()).toBe(0);
  });

  it('replaces the bubble by the numbered message', async () => {
    await write('one');
    await drain(drainEnv(db, server).env, false);
    expect(await thread()).toEqual([['one', 'stored', 1]]);
  });

  it.each([1, 3])(
    'stores a message once when its answer is lost after the commit, %i times',
    async (cuts) => {
      server.intercept = ({ body }, count) => {
        if (count > cuts) return undefined;
        server.accept(body);
        throw new TypeError('connection reset');
      };
      await write('one');
      await write('two');
      for (let lost = 0; lost < cuts; lost++) {
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

  it.each([408, 429, 500, 502, 503])('keeps waiting on %i and lets nothing overtake', async (status) => {
    server.intercept = () => json(status, {});
    await write('one');
    await write('two');
    await drain(drainEnv(db, server).env, false);
    expect(contents()).toEqual(['one']);
    expect((await db.outbox.toArray()).map((row) => [row.state, row.attempts])).toEqual([
      ['queued', 1],
      ['queued', 0],
    ]);
  });

  it.each([200, 401, 403, 404])(
    'takes a page of HTML with status %i for a missing network',
    async (status) => {
      server.intercept = () =>
        new Response('<html>Sign in to this Wi-Fi', { status, headers: { 'Content-Type': 'text/html' } });
      await write('one');
      await enqueue({ kind: 'pass', targetUserId: PEER });
      const { unauthorized } = await drain(drainEnv(db, server).env, false);
      expect(unauthorized).toBe(false);
      expect(await thread()).toEqual([['one', 'waiting', null]]);
      expect((await db.outbox.toArray()).map((row) => row.state)).toEqual(['queued', 'queued']);
    },
  );

  it('waits for a server whose proxy asks for it in plain text', async () => {
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
  ])('sends after %s although the clock was set back meanwhile', async (_, answer) => {
    const hour = 3_600_000;
    for (const back of [60_000, 12 * hour, 24 * hour, 7 * 24 * hour]) {
      server.intercept = answer;
      await write('one');
      const now = Date.now();
      await drain(drainEnv(db, server, { now: () => now }).env, false);
      server.intercept = () => undefined;
      await drain(drainEnv(db, server, { now: () => now - back }).env, false);
      expect(await db.outbox.count(), `${back} ms`).toBe(0);
    }
  });

  it('believes a proxy’s Retry-After for five minutes at most', async () => {
    server.intercept = () => new Response('away', { status: 503, headers: { 'Retry-After': '86400' } });
    await write('one');
    const now = Date.now();
    const { nextAt } = await drain(drainEnv(db, server, { now: () => now }).env, false);
    expect(nextAt).toBe(now + 5 * 60_000);
  });

  it('waits as long as Retry-After says, also after an eager trigger', async () => {
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

  it('pauses on 401 and loses nothing', async () => {
    server.intercept = () => json(401, {});
    await write('one');
    await enqueue({ kind: 'pass', targetUserId: PEER });
    const { unauthorized } = await drain(drainEnv(db, server).env, false);
    expect(unauthorized).toBe(true);
    expect((await db.outbox.toArray()).map((row) => row.state)).toEqual(['queued', 'queued']);
  });

  it('names the member with each write, for the cookie may be another’s by now', async () => {
    const members: (string | null)[] = [];
    const fetch: typeof server.fetch = (input, init) => {
      members.push(new Request(input, init).headers.get('X-Member'));
      return server.fetch(input, init);
    };
    await write('one');
    await enqueue({ kind: 'like', toUserId: PEER, likeType: 'like' });
    await drain(drainEnv(db, server, { fetch }).env, false);
    expect(members).toEqual([ME, ME]);
  });

  it('sends nothing once the member has signed out', async () => {
    await write('one');
    await drain(drainEnv(db, server, { stopped: () => true }).env, true);
    expect(server.requests).toHaveLength(0);
  });

  it('sends again what a crash left half sent', async () => {
    const clientId = await write('one');
    await db.outbox.update(clientId, { state: 'sending', attempts: 1 });
    await drain(drainEnv(db, server).env, false);
    expect(server.stored).toHaveLength(1);
    expect(await db.outbox.count()).toBe(0);
  });

  it.each([
    ['taken', () => undefined],
    ['refused', () => json(404, { title: 'Gone' })],
  ])('leaves nothing of a message that was dropped on its way, were it %s or not', async (_, answer) => {
    server.intercept = async () => {
      // The two have parted: the row and the conversation went.
      await db.outbox.clear();
      await db.messages.clear();
      return answer();
    };
    await write('one');
    await drain(drainEnv(db, server).env, false);
    expect([await db.outbox.count(), await db.messages.count(), await db.threads.count()]).toEqual([0, 0, 0]);
  });

  it('sends a receipt again that was raised while it was on its way', async () => {
    server.intercept = async (_, count) => {
      if (count === 1)
        await enqueue({ kind: 'receipt', conversationId: CONVERSATION, deliveredSeq: 2, readSeq: 2 });
      return undefined;
    };
    await enqueue({ kind: 'receipt', conversationId: CONVERSATION, deliveredSeq: 1 });
    await drain(drainEnv(db, server).env, false);
    expect(server.requests.map((request) => request.body)).toEqual([
      { deliveredSeq: 1 },
      { deliveredSeq: 2, readSeq: 2 },
    ]);
    expect(await db.outbox.count()).toBe(0);
  });

  it('lets a pass go by a like that has to wait for tomorrow', async () => {
    server.intercept = ({ path }) =>
      path === '/api/likes' ? json(429, { detail: 'Tomorrow.' }, { 'Retry-After': '3600' }) : undefined;
    await enqueue({ kind: 'like', toUserId: PEER, likeType: 'like' });
    await enqueue({ kind: 'pass', targetUserId: 'someone' });
    await drain(drainEnv(db, server).env, false);
    expect(server.requests).toContainEqual({
      method: 'POST',
      path: '/api/passes',
      body: { targetUserId: 'someone', clientId: expect.any(String) },
    });
    expect((await db.outbox.toArray()).map((row) => row.kind)).toEqual(['like']);
  });
});

describe('refusals', () => {
  it.each([403, 404, 409, 422])('shows %i as failed, goes on, and keeps the text', async (status) => {
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
  });

  it('sends again on the member’s word, with a new id after a conflict', async () => {
    server.intercept = (_, count) => (count === 1 ? json(409, { detail: 'Another text.' }) : undefined);
    const clientId = await write('again');
    await drain(drainEnv(db, server).env, false);
    vi.stubGlobal('fetch', server.fetch);
    await retry(clientId);
    await vi.waitFor(async () => expect(await db.outbox.count()).toBe(0));
    expect(await thread()).toEqual([['again', 'stored', 1]]);
    expect(server.stored[0]?.clientId).not.toBe(clientId);
  });

  it('discards only what failed', async () => {
    const clientId = await write('one');
    await discard(clientId);
    expect(await db.outbox.count()).toBe(1);
    server.intercept = () => json(404, {});
    await drain(drainEnv(db, server).env, false);
    await discard(clientId);
    expect([await db.outbox.count(), await db.messages.count()]).toEqual([0, 0]);
  });
});

it('backs off from 1 s to 60 s, spread over the upper half', () => {
  expect([1, 2, 3, 7, 50].map((attempts) => backoff(attempts, () => 1))).toEqual([
    1000, 2000, 4000, 60_000, 60_000,
  ]);
  expect(backoff(1, () => 0)).toBe(500);
});

it('reads Retry-After as seconds and as a date, and waits a day at most', () => {
  const now = Date.UTC(2026, 10, 21);
  expect(retryAfter('7', now)).toBe(7000);
  expect(retryAfter(new Date(now + 5000).toUTCString(), now)).toBe(5000);
  expect(retryAfter('soon', now)).toBeNull();
  expect(retryAfter('99999999', now)).toBe(86_400_000);
  expect(retryAfter(new Date(now + 9e11).toUTCString(), now)).toBe(86_400_000);
  expect(retryAfter(new Date(now - 5000).toUTCString(), now)).toBe(0);
});

describe('reactions and deletions', () => {
  const react = (emoji: string | null) =>
    enqueue({ kind: 'reaction', conversationId: CONVERSATION, seq: 1, emoji });
  const hold = () => db.transact(MERGE_TABLES, (tx) => mergePage(tx, ME, [message(1)]));
  const bubble = () => db.messages.get([PEER, 'client-1']);
  const path = `/api/conversations/${CONVERSATION}/messages/1`;
  const answer = (change: Parameters<typeof message>[1]) => () => json(200, message(1, change));

  it('goes out once, as it was said last', async () => {
    await hold();
    await react('👍');
    await react('❤️');
    server.intercept = answer({ rev: 1, receiverReaction: '❤️' });
    await drain(drainEnv(db, server).env, true);
    expect(server.requests).toEqual([{ method: 'PUT', path: `${path}/reaction`, body: { emoji: '❤️' } }]);
    expect(await bubble()).toMatchObject({ receiverReaction: '❤️', rev: 1 });
    expect(await db.outbox.count()).toBe(0);
  });

  it('takes a reaction back and a message away', async () => {
    await hold();
    await react(null);
    await enqueue({ kind: 'delete', conversationId: CONVERSATION, seq: 1 });
    let rev = 0;
    server.intercept = () => json(200, message(1, { rev: ++rev }));
    await drain(drainEnv(db, server).env, true);
    expect(server.requests.map(({ method, path: at }) => [method, at])).toEqual([
      ['DELETE', `${path}/reaction`],
      ['DELETE', path],
    ]);
    expect((await db.threads.get(CONVERSATION))?.rev).toBe(2);
  });

  it('is removed when the server refuses it, and the listeners are told', async () => {
    await hold();
    await react('👍');
    server.intercept = () => json(422, { detail: 'No emoji' });
    const { env, results } = drainEnv(db, server);
    await drain(env, true);
    expect(await db.outbox.count()).toBe(0);
    expect(results).toMatchObject([{ ok: false, status: 422 }]);
    expect((await bubble())?.receiverReaction).toBeNull();
  });

  it('waits when something in between answers for the server', async () => {
    await hold();
    await react('👍');
    server.intercept = () => json(200, { hello: 'from the hotel' });
    await drain(drainEnv(db, server).env, true);
    expect(await db.outbox.count()).toBe(1);
  });
});

it('sends a seen match once, and drops it when the server knows no such match', async () => {
  await enqueue({ kind: 'seen', matchId: 'm1' });
  await enqueue({ kind: 'seen', matchId: 'm1' });
  await enqueue({ kind: 'seen', matchId: 'm2' });
  server.intercept = ({ path }) => (path.includes('m2') ? json(404, { detail: 'gone' }) : undefined);
  await drain(drainEnv(db, server).env, true);
  expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /api/matches/m1/seen',
    'POST /api/matches/m2/seen',
  ]);
  expect(await db.outbox.count()).toBe(0);
});
