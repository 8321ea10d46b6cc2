import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { storeDeviceMember } from '../src/offline/device/marker.ts';
import { popPendingPath, restoreReply } from '../src/offline/device/tappedNotifications.ts';
import { endSession } from '../src/offline/device/wipe.ts';
import { storeWorkerSettings } from '../src/offline/device/workerSettings.ts';
import type { HeartwardDb } from '../src/offline/store/db.ts';
import {
  CONVERSATION,
  FakeServer,
  fakeCaches,
  freshDb,
  json,
  ME,
  PEER,
  summary,
} from '../src/offline/testkit.ts';
import { handleAction } from './actions.ts';
import { type NotificationData, openFromNotification, showPush } from './push.ts';
import { renewSubscription, type SubscriptionChange } from './renew.ts';

type ShownNotification = {
  title: string;
  options: NotificationOptions & { vibrate?: number[]; actions?: { action: string }[] };
};

let db: HeartwardDb;
let server: FakeServer;
let notifications: ShownNotification[];
let openedPaths: string[];
let badges: number[];
let syncTags: string[];
let serverMember: string;

beforeEach(async () => {
  vi.stubGlobal('caches', fakeCaches());
  db = await freshDb();
  server = new FakeServer();
  notifications = [];
  openedPaths = [];
  badges = [];
  syncTags = [];
  serverMember = ME;
  vi.stubGlobal('registration', {
    showNotification: async (title: string, options: ShownNotification['options']) =>
      void notifications.push({ title, options }),
    sync: { register: async (tag: string) => void syncTags.push(tag) },
  });
  vi.stubGlobal('clients', {
    matchAll: async () => [],
    openWindow: async (path: string) => void openedPaths.push(path),
  });
  vi.stubGlobal('fetch', async (input: Request, init?: RequestInit) =>
    new URL(input.url).pathname === '/api/auth/user'
      ? json(200, { id: serverMember })
      : server.fetch(input, init),
  );
  Object.assign(navigator, { setAppBadge: async (count: number) => void badges.push(count) });
});
afterEach(() => vi.unstubAllGlobals());

const payload = (change: Record<string, unknown> = {}, notification: Record<string, unknown> = {}) =>
  JSON.stringify({
    web_push: 8030,
    member: ME,
    vibrate: true,
    conversation: { id: CONVERSATION, peerId: PEER, seq: 3 },
    notification: {
      title: 'Ada',
      body: 'hi',
      navigate: `/messages/${PEER}`,
      tag: 't',
      app_badge: 4,
      ...notification,
    },
    ...change,
  });

const notificationOf = (change: Partial<NotificationData> = {}) => ({
  title: 'Ada',
  data: {
    path: `/messages/${PEER}`,
    member: ME,
    conversation: { id: CONVERSATION, peerId: PEER, seq: 3 },
    ...change,
  },
});

describe('a push', () => {
  it('of a message can be answered and marked as read; other notifications can only be opened', async () => {
    await showPush(payload());
    await showPush(payload({ conversation: undefined }));
    await showPush(payload({ member: 'another' }));
    expect(notifications.map(({ options }) => options.actions?.map(({ action }) => action))).toEqual([
      ['reply', 'read'],
      [],
      [],
    ]);
    expect(notifications.map(({ options }) => options.data.conversation !== undefined)).toEqual([
      true,
      false,
      false,
    ]);
    expect(badges).toEqual([4, 4]);
  });

  it('sets the badge once its count is stored, from which an answer subtracts', async () => {
    const stored: unknown[] = [];
    const setAppBadge = async () => void stored.push((await db.meta.get('push:badge'))?.value);
    Object.assign(navigator, { setAppBadge });
    await showPush(payload());
    expect(stored).toEqual([4]);
  });

  it('uses the member’s settings of sound and vibration', async () => {
    await showPush(payload());
    await showPush(payload({ vibrate: false }));
    await showPush(payload({ vibrate: true }, { silent: true }));
    expect(
      notifications.map(({ options }) => [options.silent, options.vibrate, options.requireInteraction]),
    ).toEqual([
      [false, [200, 100, 200], true],
      [false, undefined, true],
      [true, undefined, true],
    ]);
  });
});

describe('on a notification', () => {
  it('a reply is stored and sent, and marks the message as read', async () => {
    await db.conversations.put({ ...summary({ lastSeq: 3, unreadCount: 2 }), userId: PEER, sortAt: '' });
    await handleAction('reply', '  see you there ', notificationOf());
    expect(server.requests.map(({ path, body }) => [path, body.content ?? body.readSeq])).toEqual(
      expect.arrayContaining([
        ['/api/messages', 'see you there'],
        [`/api/messages/${CONVERSATION}/receipts`, 3],
      ]),
    );
    expect(server.requests).toHaveLength(2);
    expect(await db.outbox.count()).toBe(0);
    expect(await db.messages.toArray()).toMatchObject([
      { content: 'see you there', state: 'stored', senderId: ME },
    ]);
    expect(await db.conversations.get(CONVERSATION)).toMatchObject({ readSeq: 3, unreadCount: 0 });
    expect(openedPaths).toEqual([]);
  });

  it('marking as read sends a receipt and lowers the badge', async () => {
    await showPush(payload());
    await handleAction('read', '', notificationOf());
    expect(server.requests.map(({ path }) => path)).toEqual([`/api/messages/${CONVERSATION}/receipts`]);
    expect(badges).toEqual([4, 3]);
    await handleAction('read', '', notificationOf());
    expect(badges.at(-1)).toBe(2);
  });

  it('offline, actions are queued in order for Background Sync', async () => {
    server.intercept = () => {
      throw new TypeError('no network');
    };
    await handleAction('reply', 'first', notificationOf());
    await handleAction(
      'reply',
      'second',
      notificationOf({ conversation: { id: CONVERSATION, peerId: PEER, seq: 5 } }),
    );
    expect(syncTags).toEqual(['hw-outbox', 'hw-outbox']);
    const rows = await db.outbox.orderBy('localSeq').toArray();
    expect(rows.map(({ kind, state }) => [kind, state])).toEqual([
      ['receipt', 'queued'],
      ['message', 'queued'],
      ['message', 'queued'],
    ]);
    expect(rows[0]).toMatchObject({ body: { kind: 'receipt', readSeq: 5 }, revision: 1 });
    const bubbles = await db.messages.orderBy('[conversationId+order]').toArray();
    expect(bubbles.map(({ content, state }) => [content, state])).toEqual([
      ['first', 'waiting'],
      ['second', 'waiting'],
    ]);
    expect(notifications).toEqual([]);
  });

  it('a rejected reply is reported and stays in the outbox', async () => {
    server.intercept = ({ path }) => (path === '/api/messages' ? json(404, { detail: 'gone' }) : undefined);
    await handleAction('reply', 'too late', notificationOf());
    expect(notifications).toMatchObject([
      { title: 'Your answer was not sent', options: { data: { path: `/messages/${PEER}` } } },
    ]);
    expect(await db.outbox.toArray()).toMatchObject([{ kind: 'message', state: 'failed' }]);
  });

  it.each([
    ['a tap', '', '', notificationOf(), `/messages/${PEER}`],
    ['Reply in a browser without text input', 'reply', '', notificationOf(), `/messages/${PEER}`],
    ['a blank reply', 'reply', ' \n', notificationOf(), `/messages/${PEER}`],
    [
      'a reply to another member’s notification',
      'reply',
      'hello',
      notificationOf({ member: 'another' }),
      '/',
    ],
    ['marking another member’s notification as read', 'read', '', notificationOf({ member: 'another' }), '/'],
    [
      'a tap on a notification without a conversation',
      '',
      '',
      { title: 'Heartward', data: { path: '/' } },
      '/',
    ],
  ])('%s opens the app and writes nothing', async (_, action, reply, notification, path) => {
    await handleAction(action, reply, notification);
    expect(openedPaths).toEqual([path]);
    expect(await db.outbox.count()).toBe(0);
    expect(server.requests).toEqual([]);
  });

  it('a reply becomes a draft when the database cannot be opened', async () => {
    await db.drafts.put({ conversationId: CONVERSATION, content: 'Dear Ada', updatedAt: 1 });
    const open = vi.spyOn(indexedDB, 'open').mockImplementation(() => {
      const request = { error: new DOMException('full', 'QuotaExceededError') } as IDBOpenDBRequest;
      queueMicrotask(() => request.onerror?.(new Event('error')));
      return request;
    });
    await handleAction('reply', 'see you there', notificationOf());
    open.mockRestore();
    expect(openedPaths).toEqual([`/messages/${PEER}`]);
    expect(await db.outbox.count()).toBe(0);
    await restoreReply(db);
    await restoreReply(db);
    expect(await db.drafts.toArray()).toMatchObject([{ content: 'Dear Ada\nsee you there' }]);
  });

  it('does not touch the data of a locked member', async () => {
    await endSession('expired');
    await showPush(payload());
    await handleAction('reply', 'hello', notificationOf());
    await handleAction('read', '', notificationOf());
    expect(notifications.map(({ title }) => title)).toEqual(['Heartward']);
    expect(server.requests).toEqual([]);
    db = await freshDb();
    expect(await db.outbox.count()).toBe(0);
  });

  it('a notification of another member only opens the app, without its path, its action or its count', async () => {
    await showPush(payload({ member: 'another' }));
    await handleAction('', '', notificationOf({ member: 'another' }));
    await handleAction('reply', 'hello', notificationOf({ member: 'another' }));
    expect(openedPaths).toEqual(['/', '/']);
    expect(notifications.map(({ title }) => title)).toEqual(['Heartward']);
    expect(badges).toEqual([]);
    expect(server.requests).toEqual([]);
  });

  it('nothing is sent in the name of another member who signed in meanwhile', async () => {
    serverMember = 'another';
    await handleAction('reply', 'mine', notificationOf());
    expect(server.requests).toEqual([]);
    expect(await db.outbox.count()).toBe(2);
  });
});

describe('opening the app', () => {
  it('stores the path for an app that starts slowly, for a minute and once', async () => {
    await openFromNotification('/matches');
    expect(openedPaths).toEqual(['/matches']);
    expect(await popPendingPath(db)).toBe('/matches');
    expect(await popPendingPath(db)).toBeNull();
    await openFromNotification('/matches');
    expect(await popPendingPath(db, Date.now() + 61_000)).toBeNull();
  });

  it('does not leave the path to a window that has opened it', async () => {
    const openWindow = vi.fn(async () => ({}));
    vi.stubGlobal('clients', { matchAll: async () => [], openWindow });
    await openFromNotification('/matches');
    expect(openWindow).toHaveBeenCalledExactlyOnceWith('/matches');
    expect(await popPendingPath(db)).toBeNull();
  });

  it('opens a window while the path is being stored, because some browsers open none later', async () => {
    const neverStored = { memberId: ME, transact: () => new Promise<never>(() => undefined) };
    void openFromNotification('/matches', neverStored);
    await vi.waitFor(() => expect(openedPaths).toEqual(['/matches']));
  });

  it('navigates an open window after it was focused', async () => {
    const calls: string[] = [];
    const page = {
      url: 'https://heartward.test/profile',
      focus: async () => {
        calls.push('focus');
        return page;
      },
      postMessage: ({ path }: { path: string }) => calls.push(path),
    };
    vi.stubGlobal('clients', { matchAll: async () => [page] });
    await openFromNotification('/matches');
    expect(calls).toEqual(['focus', '/matches']);
    page.focus = () => Promise.reject(new Error('not allowed'));
    await openFromNotification('/messages');
    expect(calls.at(-1)).toBe('/messages');
  });

  it('ignores windows that do not show the app', async () => {
    const focus = vi.fn();
    const others = ['/docs', '/dev/mailbox'].map((path) => ({ url: `https://heartward.test${path}`, focus }));
    vi.stubGlobal('clients', {
      matchAll: async () => others,
      openWindow: async (path: string) => void openedPaths.push(path),
    });
    await openFromNotification('/matches');
    expect(focus).not.toHaveBeenCalled();
    expect(openedPaths).toEqual(['/matches']);
  });
});

describe('when the browser changes the subscription', () => {
  const renewed = { toJSON: () => ({ endpoint: 'https://push.test/2', keys: { p256dh: 'p', auth: 'a' } }) };
  const change = (event: object) => renewSubscription(event as SubscriptionChange);

  it('the server gets the new endpoint', async () => {
    await change({ newSubscription: renewed });
    expect(server.requests).toMatchObject([
      { path: '/api/push/subscriptions', body: { endpoint: 'https://push.test/2' } },
    ]);
  });

  it.each([
    ['with an older key', { oldSubscription: { options: { applicationServerKey: new ArrayBuffer(65) } } }],
    ['in a browser that does not name it', {}],
  ])('a lost subscription %s is renewed with the key of the server', async (_, event) => {
    const subscribe = vi.fn(async () => renewed);
    vi.stubGlobal('registration', { pushManager: { subscribe } });
    server.intercept = ({ path }) => (path === '/api/push/key' ? json(200, { publicKey: 'new' }) : undefined);
    await change({ ...event, newSubscription: null });
    expect(subscribe).toHaveBeenCalledWith({ userVisibleOnly: true, applicationServerKey: 'new' });
    expect(server.requests).toMatchObject([
      { path: '/api/push/key' },
      { path: '/api/push/subscriptions', body: { endpoint: 'https://push.test/2' } },
    ]);
  });

  it('a device that hides names and texts goes on to hide them', async () => {
    await storeWorkerSettings({ hidesContent: true, categories: null });
    await change({ newSubscription: renewed });
    await storeWorkerSettings({ hidesContent: false, categories: null });
    await change({ newSubscription: renewed });
    expect(server.requests.map(({ body }) => body.showsContent)).toEqual([false, undefined]);
  });

  it('a device goes on to get the pushes that were chosen for it', async () => {
    server.intercept = ({ method }) => (method === 'POST' ? json(201, { showsContent: true }) : undefined);
    await storeWorkerSettings({ hidesContent: false, categories: ['messages'] });
    await change({ newSubscription: renewed });
    expect(server.requests.map(({ method, body }) => [method, body])).toMatchObject([
      ['POST', { endpoint: 'https://push.test/2' }],
      ['PUT', { endpoint: 'https://push.test/2', categories: ['messages'], showsContent: true }],
    ]);
  });

  it('a device on which an earlier version has hidden names and texts goes on to hide them', async () => {
    await (await caches.open('hw-member')).put('/hw-hides-content', new Response('1'));
    await change({ newSubscription: renewed });
    expect(server.requests).toMatchObject([{ method: 'POST', body: { showsContent: false } }]);
  });

  it('nothing is sent without a signed-in member', async () => {
    await storeDeviceMember(null);
    await change({ newSubscription: renewed });
    expect(server.requests).toEqual([]);
  });
});
