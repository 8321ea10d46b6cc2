import 'fake-indexeddb/auto';
import Dexie, { liveQuery } from 'dexie';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { readDeviceMember } from '../src/offline/device/marker.ts';
import { endSession, wipeDevice } from '../src/offline/device/wipe.ts';
import { drain } from '../src/offline/outbox/drain.ts';
import { enqueue } from '../src/offline/outbox/outbox.ts';
import { type HeartwardDb, rereadTables } from '../src/offline/store/db.ts';
import { dbName } from '../src/offline/store/rows.ts';
import {
  CONVERSATION,
  drainEnv,
  FakeServer,
  fakeCaches,
  freshDb,
  json,
  ME,
  PEER,
} from '../src/offline/testkit.ts';
import { NAVIGATION_DENYLIST } from './denylist.ts';
import { CONFIRM_WITHIN, isPhoto, serveFile } from './files.ts';
import { openExisting, withMember } from './idb.ts';
import { drainInWorker } from './outbox.ts';
import { localPath, showPush } from './push.ts';

const denied = (path: string) => NAVIGATION_DENYLIST.some((pattern) => pattern.test(path));

describe('navigations', () => {
  it.each([
    '/api/login',
    '/api',
    '/ws',
    '/files/a/full.webp',
    '/dev/mailbox',
    '/robots.txt',
    '/sitemap-posts-1.xml',
    '/docs',
    '/openapi.json',
    '/openapi-3.0.yaml',
    '/healthz',
    '/readyz',
    '/metrics',
    '/sw.js',
    '/near',
    '/near?town=Salem',
  ])('%s is a path of the server', (path) => expect(denied(path)).toBe(true));

  it.each([
    '/',
    '/messages/7',
    '/profile/api',
    '/matches',
    '/developers',
    '/nearby',
    '/wsx',
    '/filesystem',
    '/apiary',
    '/swxjs',
  ])('%s is a path of the app', (path) => expect(denied(path)).toBe(false));
});

describe('the worker’s database', () => {
  let db: HeartwardDb;
  beforeEach(async () => {
    vi.stubGlobal('caches', fakeCaches());
    db = await freshDb();
    return () => vi.unstubAllGlobals();
  });

  it('sends with the page’s code, and after rereadTables the page’s live queries emit the result', async () => {
    const server = new FakeServer();
    await enqueue(db, {
      kind: 'message',
      conversationId: CONVERSATION,
      recipientId: PEER,
      content: 'from the worker',
    });
    const states: string[] = [];
    const subscription = liveQuery(() => db.messages.toArray()).subscribe((rows) =>
      states.push(rows[0]?.state ?? 'none'),
    );
    await vi.waitFor(() => expect(states).toEqual(['waiting']));
    const existingDb = await openExisting(ME);
    if (!existingDb) throw new Error('the database could not be opened');
    await drain({ ...drainEnv(db, server).env, transact: existingDb.transact }, true);
    existingDb.close();
    expect(await db.outbox.count()).toBe(0);
    rereadTables(db, ['messages', 'outbox']);
    await vi.waitFor(() => expect(states[states.length - 1]).toBe('stored'));
    subscription.unsubscribe();
  });

  describe('on the sync event', () => {
    const requests: string[] = [];
    const server = new FakeServer();
    const serve = (member: string) => {
      requests.length = 0;
      vi.stubGlobal('clients', { matchAll: async () => [] });
      vi.stubGlobal('fetch', async (input: Request, init?: RequestInit) => {
        const { pathname } = new URL(input.url);
        requests.push(pathname);
        return pathname === '/api/auth/user' ? json(200, { id: member }) : server.fetch(input, init);
      });
    };
    const write = () =>
      enqueue(db, { kind: 'message', conversationId: CONVERSATION, recipientId: PEER, content: 'later' });

    it('sends no request when a page has sent everything', async () => {
      serve(ME);
      await drainInWorker();
      expect(requests).toEqual([]);
    });

    it('sends the queued rows', async () => {
      serve(ME);
      await write();
      await drainInWorker();
      expect(requests).toEqual(['/api/auth/user', '/api/messages']);
      expect(await db.outbox.count()).toBe(0);
    });

    it('never sends in the name of another member', async () => {
      serve('another');
      await write();
      await drainInWorker();
      expect(requests).toEqual(['/api/auth/user']);
      expect(await db.outbox.count()).toBe(1);
    });
  });

  it.each([
    ['/files/a/thumb.webp', true],
    ['/files/a/full.webp', true],
    ['/files/a/poster.webp', true],
    // Recordings are large and fetched by range requests: they are not cached.
    ['/files/a/media', false],
    ['/api/users/me', false],
  ])('caches a picture of %s: %s', (path, isCached) => {
    const url = new URL(path, 'https://heartward.test');
    expect(isPhoto({ url, request: new Request(url) })).toBe(isCached);
    const part = new Request(url, { headers: { Range: 'bytes=0-9' } });
    expect(isPhoto({ url, request: part })).toBe(false);
  });

  describe('a photo', () => {
    const request = new Request('https://heartward.test/files/a/thumb.webp');
    const name = `hw-files-${ME}-thumb.webp`;
    const conditions: (string | null)[] = [];
    type Answer = () => Response | Promise<Response>;
    const photo: Answer = () => new Response('photo', { headers: { ETag: '"1"' } });
    const status =
      (code: number): Answer =>
      () =>
        new Response(null, { status: code });
    beforeEach(() => void conditions.splice(0));

    async function load(answer: Answer = photo): Promise<Response> {
      vi.stubGlobal('fetch', async (_: string, init?: RequestInit) => {
        expect(init?.cache, 'the HTTP cache stores no second copy').toBe('no-store');
        conditions.push(new Headers(init?.headers).get('If-None-Match'));
        return answer();
      });
      const pendingWork: Promise<unknown>[] = [];
      const event = { request, waitUntil: (work: Promise<unknown>) => pendingWork.push(work) };
      const response = await serveFile(event as unknown as FetchEvent);
      await Promise.all(pendingWork);
      return response;
    }

    it('is stored, and shown offline and while the server fails', async () => {
      expect(await (await load()).text()).toBe('photo');
      expect(await (await caches.open(name)).keys()).toHaveLength(1);
      const offline = () => Promise.reject(new TypeError('no network'));
      for (const answer of [offline, status(503), status(429)])
        expect(await (await load(answer)).text()).toBe('photo');
    });

    it('is shown online only after the server has confirmed it', async () => {
      await load();
      expect(await (await load(status(304))).text()).toBe('photo');
      expect(await (await load(status(304))).text()).toBe('photo');
      expect(conditions).toEqual([null, '"1"', '"1"']);
    });

    it.each([401, 403, 404, 410])('is deleted when the server answers %d', async (code) => {
      await load();
      expect((await load(status(code))).status).toBe(code);
      expect(await (await caches.open(name)).keys()).toEqual([]);
      await expect(load(() => Promise.reject(new TypeError('no network')))).rejects.toThrow();
    });

    it('is shown when the server does not answer in time, and deleted when it refuses later', async () => {
      await load();
      vi.useFakeTimers({ toFake: ['setTimeout'] });
      let refuse: (response: Response) => void = () => undefined;
      vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => (refuse = resolve)));
      const pendingWork: Promise<unknown>[] = [];
      const event = { request, waitUntil: (work: Promise<unknown>) => pendingWork.push(work) };
      const shown = serveFile(event as unknown as FetchEvent);
      await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
      vi.advanceTimersByTime(CONFIRM_WITHIN);
      expect(await (await shown).text()).toBe('photo');
      vi.useRealTimers();
      refuse(new Response(null, { status: 404 }));
      await Promise.all(pendingWork);
      expect(await (await caches.open(name)).keys()).toEqual([]);
    });

    it.each([
      ['the member signed out', () => wipeDevice()],
      ['the device was locked', () => endSession('expired')],
    ])('is not stored when it arrives after %s', async (_, end) => {
      await load(async () => {
        await end();
        return photo();
      });
      expect(await caches.keys()).toEqual([]);
    });
  });

  it('leaves the database of an older version to the page that upgrades it', async () => {
    const id = 'of-version-5';
    const old = new Dexie(dbName(id));
    old
      .version(5)
      .stores({ outbox: 'clientId', messages: '[senderId+clientId]', conversations: 'id', meta: 'key' });
    await enqueue(db, { kind: 'message', conversationId: CONVERSATION, recipientId: PEER, content: 'old' });
    await old.table('outbox').bulkPut(await db.outbox.toArray());
    expect(await openExisting(id)).toBeNull();
    expect(await old.table('outbox').count()).toBe(1);
    await old.delete();
  });

  it('stores nothing of a transaction that fails', async () => {
    const existingDb = await openExisting(ME);
    const work = existingDb?.transact(['meta'], async (tx) => {
      await tx.put('meta', { key: 'push:badge', value: 1 });
      throw new Error('crash');
    });
    await expect(work).rejects.toThrow('crash');
    expect(await db.meta.get('push:badge')).toBeUndefined();
    existingDb?.close();
  });

  it('never creates a database', async () => {
    expect(await openExisting('nobody')).toBeNull();
    expect((await indexedDB.databases()).map(({ name }) => name)).toEqual([`heartward-${ME}`]);
  });

  it('is not available while the device is locked', async () => {
    expect(await readDeviceMember()).toBe(ME);
    await endSession('expired');
    expect(await readDeviceMember()).toBeNull();
    const work = vi.fn();
    expect(await withMember(work)).toBeUndefined();
    expect(work).not.toHaveBeenCalled();
  });

  it('is closed when the page deletes it', async () => {
    await openExisting(ME);
    db.close();
    await new Promise((resolve, reject) => {
      const request = indexedDB.deleteDatabase(`heartward-${ME}`);
      request.onsuccess = resolve;
      request.onblocked = reject;
    });
  });
});

it('localPath returns only paths of the app, for every origin of the server', () => {
  const pathFor = (navigate?: string) => localPath(navigate, 'https://heartward.test');
  expect(pathFor('/messages/7?x=1')).toBe('/messages/7?x=1');
  expect(pathFor('https://heartward.test/matches')).toBe('/matches');
  expect(pathFor('https://www.heartward.test/messages/7')).toBe('/messages/7');
  for (const outside of [
    '//evil.test',
    'https://evil.test//evil.test',
    'javascript:alert(1)',
    '/docs',
    undefined,
  ])
    expect(pathFor(outside)).toBe('/');
});

it.each([
  ['not JSON', 'no json at all'],
  ['empty', ''],
  ['without a notification', '{"notification":null}'],
  ['for another member', JSON.stringify({ member: PEER, notification: { title: 'Ben', body: 'a secret' } })],
])('shows a generic notification for a push that is %s', async (_, text) => {
  const showNotification = vi.fn(async () => undefined);
  vi.stubGlobal('registration', { showNotification });
  vi.stubGlobal('caches', fakeCaches());
  await freshDb();
  await showPush(text);
  expect(showNotification).toHaveBeenCalledExactlyOnceWith(
    'Heartward',
    expect.objectContaining({
      body: 'There is something new for you.',
      tag: 'heartward',
      data: { path: '/' },
    }),
  );
  await showPush(JSON.stringify({ member: ME, notification: { title: 'Ben', body: 'for you' } }));
  expect(showNotification).toHaveBeenLastCalledWith('Ben', expect.objectContaining({ body: 'for you' }));
  vi.unstubAllGlobals();
});

it('a notification shows the icon of the app, and no picture that a push names', async () => {
  const showNotification = vi.fn(async (_: string, options: object) => options);
  vi.stubGlobal('registration', { showNotification });
  vi.stubGlobal('caches', fakeCaches());
  await freshDb();
  const picture = { image: '/files/a/full.webp', icon: '/files/a/thumb.webp' };
  await showPush(
    JSON.stringify({ member: ME, ...picture, notification: { title: 'Ben', body: 'Photo', ...picture } }),
  );
  const options = showNotification.mock.lastCall?.[1];
  expect(options).toMatchObject({ body: 'Photo', icon: '/icons/icon-192.png' });
  expect(JSON.stringify(options)).not.toContain('/files/');
  vi.unstubAllGlobals();
});

it('a generic notification vibrates, and stays until the member dismisses it', async () => {
  const showNotification = vi.fn(async () => undefined);
  vi.stubGlobal('registration', { showNotification });
  vi.stubGlobal('caches', fakeCaches());
  await showPush('not json');
  expect(showNotification).toHaveBeenCalledWith(
    'Heartward',
    expect.objectContaining({ requireInteraction: true, vibrate: [200, 100, 200] }),
  );
  vi.unstubAllGlobals();
});

it('closes the notifications of messages that were read on another device, and no other', async () => {
  const shown = (id: string, seq: number) => ({
    data: { path: '/', conversation: { id, peerId: PEER, seq } },
    close: vi.fn(),
  });
  const [read, later, other] = [shown('a', 3), shown('b', 4), shown('c', 1)];
  const withoutConversation = { data: { path: '/' }, close: vi.fn() };
  vi.stubGlobal('registration', {
    showNotification: async () => undefined,
    getNotifications: async () => [read, later, other, withoutConversation],
  });
  vi.stubGlobal('caches', fakeCaches());
  await freshDb();
  const push = {
    notification: { title: 'Ben' },
    read: [
      { id: 'a', seq: 3 },
      { id: 'b', seq: 3 },
    ],
  };
  await showPush(JSON.stringify({ ...push, member: PEER }));
  expect(read.close, 'a push for another member closes nothing').not.toHaveBeenCalled();
  await showPush(JSON.stringify({ ...push, member: ME }));
  expect(read.close).toHaveBeenCalledOnce();
  for (const { close } of [later, other, withoutConversation]) expect(close).not.toHaveBeenCalled();
  vi.unstubAllGlobals();
});

it('shows two pushes one after the other, so that neither asks for notifications while the other is being shown', async () => {
  const steps: string[] = [];
  const release: (() => void)[] = [];
  vi.stubGlobal('registration', {
    showNotification: async (title: string) => {
      steps.push(`shows ${title}`);
      await new Promise<void>((resolve) => release.push(resolve));
      steps.push(`has shown ${title}`);
    },
    getNotifications: async () => {
      steps.push('asks');
      return [];
    },
  });
  vi.stubGlobal('caches', fakeCaches());
  await freshDb();
  const push = (title: string) =>
    showPush(JSON.stringify({ member: ME, notification: { title }, read: [{ id: 'a', seq: 3 }] }));
  const both = [push('one'), push('two')];
  for (const step of [1, 2]) {
    await vi.waitFor(() => expect(release).toHaveLength(step));
    release[step - 1]?.();
  }
  await Promise.all(both);
  expect(steps).toEqual(['shows one', 'has shown one', 'asks', 'shows two', 'has shown two', 'asks']);
  vi.unstubAllGlobals();
});
