import type { BrowserContext, CDPSession, Page } from '@playwright/test';
import { wholeBrowser } from './support/browser.ts';
import {
  bubbles,
  join,
  match,
  newPhone,
  openConversation,
  type Person,
  sendMessage,
  ticks,
  waitForServiceWorker,
  withWorker,
} from './support/phones.ts';
import type { Server } from './support/server.ts';
import { expect, test } from './support/test.ts';

// The headless shell shows no notifications.
test.use({ ...withWorker, ...wholeBrowser });

/** The part of a service worker's global scope that is used here. */
type WorkerScope = typeof globalThis & {
  registration: ServiceWorkerRegistration;
  NotificationEvent: new (type: string, init: { notification?: Notification }) => Event;
};

type ShownNotification = { title: string; body: string; tag: string; path: string };

/** Returns the notifications on the screen, as the worker's registration lists them. */
function shownNotifications(page: Page): Promise<ShownNotification[]> {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const notifications = await registration.getNotifications();
    return notifications.map(({ title, body, tag, data }) => ({ title, body, tag, path: data.path }));
  });
}

/** Returns a DevTools session and the worker's registration id. */
async function inspectWorker(page: Page): Promise<{ cdp: CDPSession; registrationId: string }> {
  const cdp = await page.context().newCDPSession(page);
  const found = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [registration] = registrations;
      if (registration) resolve(registration.registrationId);
    });
  });
  await cdp.send('ServiceWorker.enable');
  return { cdp, registrationId: await found };
}

/** Counts in the worker the notifications that are on the screen; returns a function that reads the count. */
async function countShown(page: Page): Promise<() => Promise<number>> {
  const [worker] = page.context().serviceWorkers();
  if (!worker) throw new Error('no service worker runs');
  await worker.evaluate(() => {
    const { registration } = globalThis as unknown as WorkerScope;
    const counted = registration as ServiceWorkerRegistration & { shown?: number };
    if (counted.shown !== undefined) return;
    counted.shown = 0;
    const show = registration.showNotification.bind(registration);
    registration.showNotification = async (...notification) => {
      await show(...notification);
      counted.shown = (counted.shown ?? 0) + 1;
    };
  });
  return () =>
    worker.evaluate(() => {
      const { registration } = globalThis as unknown as WorkerScope;
      return (registration as ServiceWorkerRegistration & { shown?: number }).shown ?? 0;
    });
}

/**
 * Delivers a push to the worker as a push service would, and waits until its notification is on the screen: Chromium
 * forgets one that is asked for while it is being shown.
 */
async function deliver(page: Page, data: string): Promise<void> {
  const shown = await countShown(page);
  const before = await shown();
  const { cdp, registrationId } = await inspectWorker(page);
  const origin = new URL(page.url()).origin;
  await cdp.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
  await expect.poll(shown).toBe(before + 1);
}

/** Returns what the server sends for a message with the already shortened `body`; `site` is its PUBLIC_URL. */
function payload(member: Person, other: Person, body: string, site = 'https://www.heartward.test'): string {
  return JSON.stringify({
    web_push: 8030,
    member: member.id,
    app_badge: 1,
    mutable: true,
    notification: {
      title: other.fullName.split(' ')[0],
      body,
      navigate: `${site}/messages/${other.id}`,
      tag: 'conversation-1',
      app_badge: 1,
    },
  });
}

type Pair = { page: Page; ann: Person; ben: Person };

/** Signs up Ann, with notifications allowed, and Ben, and matches them. */
async function newPair(a: BrowserContext, b: BrowserContext, server: Server): Promise<Pair> {
  await a.grantPermissions(['notifications', 'background-sync'], { origin: server.url });
  const ann = await join(a, server, 'Ann Push');
  const ben = await join(b, server, 'Ben Push');
  await match(a, ann, b, ben);
  const page = await openConversation(a, ben);
  await waitForServiceWorker(page);
  return { page, ann, ben };
}

test('a push shows the sender and the beginning of the message, also while the window is in front', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const { page, ann, ben } = await newPair(phoneA, phoneB, server);
  await page.bringToFront();
  const body = `${'a slow letter '.repeat(4).slice(0, 50)}…`;
  await deliver(page, payload(ann, ben, body));
  await expect
    .poll(() => shownNotifications(page))
    .toEqual([{ title: 'Ben', body, tag: 'conversation-1', path: `/messages/${ben.id}` }]);

  await deliver(page, payload(ann, ben, 'and one more'));
  await expect
    .poll(() => shownNotifications(page), 'the next of a conversation replaces the one before')
    .toEqual([expect.objectContaining({ body: 'and one more' })]);
});

test('a tap on the notification opens the conversation in the open window', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const { page, ben } = await newPair(phoneA, phoneB, server);
  await page.goto('/discover');
  await expect(page.getByRole('heading', { name: 'Discover' })).toBeVisible();
  const [worker] = phoneA.serviceWorkers();
  if (!worker) throw new Error('no service worker runs');
  // A test cannot tap a notification; it dispatches the event that a tap causes.
  await worker.evaluate(async (path) => {
    const scope = globalThis as unknown as WorkerScope;
    await scope.registration.showNotification('Ben', { body: 'Hello', data: { path } });
    const [notification] = await scope.registration.getNotifications();
    scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification }));
  }, `/messages/${ben.id}`);
  await expect(page).toHaveURL(`${server.url}/messages/${ben.id}`);
  await expect(page.getByRole('textbox', { name: 'Message to Ben' })).toBeEditable();
  await expect.poll(() => shownNotifications(page)).toEqual([]);
});

test('messages written while the server was down are sent by the worker after the app was closed', async ({
  browser,
  ownServer,
}) => {
  const a = await newPhone(browser, ownServer.url, withWorker);
  const b = await newPhone(browser, ownServer.url, withWorker);
  const { page, ben } = await newPair(a, b, ownServer);
  await ownServer.stop();
  await sendMessage(page, 'sent by the worker');
  await expect(ticks(page, 'waiting')).toHaveCount(1);
  const otherPage = await a.newPage();
  const { cdp, registrationId } = await inspectWorker(otherPage);
  await page.close();

  await ownServer.start();
  await cdp.send('ServiceWorker.dispatchSyncEvent', {
    origin: ownServer.url,
    registrationId,
    tag: 'hw-outbox',
    lastChance: false,
  });
  const storedMessages = () => ownServer.query('SELECT content FROM messages');
  await expect.poll(storedMessages).toEqual([{ content: 'sent by the worker' }]);
  const reopened = await openConversation(a, ben);
  await expect.poll(() => bubbles(reopened)).toEqual(['sent by the worker']);
  await expect(ticks(reopened, 'sent')).toHaveCount(1);
  await Promise.all([a.close(), b.close()]);
});

/** Returns a push of Ben's message `seq` that allows a reply. */
function replyablePush(ann: Person, ben: Person, conversationId: string, seq: number, badge = 1): string {
  const push = JSON.parse(payload(ann, ben, 'the newest'));
  push.notification.tag = `conversation-${conversationId}`;
  push.notification.app_badge = badge;
  return JSON.stringify({
    ...push,
    vibrate: true,
    conversation: { id: conversationId, peerId: ben.id, seq },
  });
}

async function conversationOf(phone: BrowserContext): Promise<string> {
  const sync = await (await phone.request.get('/api/sync')).json();
  return (sync as { conversations: { id: string }[] }).conversations[0]?.id ?? '';
}

async function sendAs(phone: BrowserContext, to: Person, content: string): Promise<void> {
  const clientId = crypto.randomUUID();
  const response = await phone.request.post('/api/messages', {
    data: { recipientId: to.id, content, messageType: 'text', clientId },
  });
  expect(response.ok(), await response.text()).toBe(true);
}

/** Dispatches the event of a press on a button of the only notification. */
async function press(phone: BrowserContext, action: string, reply: string | null = null): Promise<void> {
  const [worker] = phone.serviceWorkers();
  if (!worker) throw new Error('no service worker runs');
  await worker.evaluate(
    async (init) => {
      const scope = globalThis as unknown as WorkerScope & {
        NotificationEvent: new (type: string, init: object) => Event;
      };
      const [notification] = await scope.registration.getNotifications();
      scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { ...init, notification }));
    },
    { action, reply },
  );
}

/** Records the counts that the worker sets on the app's icon; returns a function that reads them. */
async function recordBadges(phone: BrowserContext): Promise<() => Promise<number[]>> {
  const [worker] = phone.serviceWorkers();
  if (!worker) throw new Error('no service worker runs');
  await worker.evaluate(() => {
    const scope = globalThis as unknown as { badges: number[] };
    scope.badges = [];
    Object.assign(navigator, { setAppBadge: async (count: number) => void scope.badges.push(count) });
  });
  return () => worker.evaluate(() => (globalThis as unknown as { badges: number[] }).badges);
}

test('a reply typed on the notification is sent, and the answered message is marked as read', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const { page, ann, ben } = await newPair(phoneA, phoneB, server);
  const id = await conversationOf(phoneA);
  await page.goto('/settings');
  await sendAs(phoneB, ann, 'are you there?');
  const badges = await recordBadges(phoneA);
  await deliver(page, replyablePush(ann, ben, id, 1, 3));
  await expect.poll(() => shownNotifications(page)).toHaveLength(1);
  await expect.poll(badges, 'set once it is stored').toEqual([3]);
  await press(phoneA, 'reply', 'yes, on my way');
  await expect.poll(() => shownNotifications(page)).toEqual([]);
  const storedMessages = () =>
    server.query('SELECT content FROM messages WHERE conversation_id = $1 ORDER BY seq', [id]);
  await expect.poll(storedMessages).toEqual([{ content: 'are you there?' }, { content: 'yes, on my way' }]);
  const readState = () =>
    server.query('SELECT greatest(a_read_seq, b_read_seq) >= 1 AS read FROM conversations WHERE id = $1', [
      id,
    ]);
  await expect.poll(readState).toEqual([{ read: true }]);
  expect(await badges()).toEqual([3, 2]);
  await page.goto(`/messages/${ben.id}`);
  await expect.poll(() => bubbles(page)).toEqual(['are you there?', 'yes, on my way']);
});

test('"Mark as read" on the notification marks the messages as read, on the device and at the server', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const { page, ann, ben } = await newPair(phoneA, phoneB, server);
  const id = await conversationOf(phoneA);
  await page.goto('/settings');
  await sendAs(phoneB, ann, 'one');
  await sendAs(phoneB, ann, 'two');
  const list = page.getByRole('link', { name: /^Messages/ }).first();
  await expect(list).toHaveAccessibleName(/1/);
  await deliver(page, replyablePush(ann, ben, id, 2));
  await expect.poll(() => shownNotifications(page)).toHaveLength(1);
  await press(phoneA, 'read');
  await expect.poll(() => shownNotifications(page)).toEqual([]);
  await expect(list).not.toHaveAccessibleName(/1/);
  const readState = () =>
    server.query('SELECT greatest(a_read_seq, b_read_seq) AS seq FROM conversations WHERE id = $1', [id]);
  await expect.poll(readState).toEqual([{ seq: '2' }]);
});

test('reading in the app removes the notification', async ({ phoneA, phoneB, server }) => {
  const { page, ann, ben } = await newPair(phoneA, phoneB, server);
  const id = await conversationOf(phoneA);
  await page.goto('/settings');
  await sendAs(phoneB, ann, 'look at this');
  await deliver(page, replyablePush(ann, ben, id, 1));
  await expect.poll(() => shownNotifications(page)).toHaveLength(1);
  await page.goto(`/messages/${ben.id}`);
  await expect(page.getByTestId('bubble-text')).toHaveText('look at this');
  await expect.poll(() => shownNotifications(page)).toEqual([]);
});

test('reading on another device removes the notification from an open app', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const { page, ann, ben } = await newPair(phoneA, phoneB, server);
  const id = await conversationOf(phoneA);
  await page.goto('/settings');
  await sendAs(phoneB, ann, 'look at this');
  await deliver(page, replyablePush(ann, ben, id, 1));
  await expect.poll(() => shownNotifications(page)).toHaveLength(1);
  // What the other device sends.
  const read = { deliveredSeq: 1, readSeq: 1 };
  const response = await phoneA.request.post(`/api/messages/${ben.id}/receipts`, { data: read });
  expect(response.ok(), await response.text()).toBe(true);
  await expect.poll(() => shownNotifications(page)).toEqual([]);
});

test('a tap on a notification opens the conversation in an app that was closed', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const { page, ann, ben } = await newPair(phoneA, phoneB, server);
  const id = await conversationOf(phoneA);
  await deliver(page, replyablePush(ann, ben, id, 1));
  await expect.poll(() => shownNotifications(page)).toHaveLength(1);
  const otherPage = await phoneA.newPage();
  await otherPage.goto('/healthz');
  await page.close();
  // Only a real tap may open a window; the worker stores the address in any case.
  await press(phoneA, '');
  await otherPage.waitForFunction(
    (database) =>
      new Promise((resolve) => {
        const request = indexedDB.open(database);
        request.onsuccess = () => {
          const db = request.result;
          const row = db.transaction('meta').objectStore('meta').get('push:navigate');
          row.onsuccess = () => {
            db.close();
            resolve(row.result !== undefined);
          };
        };
      }),
    `heartward-${ann.id}`,
  );
  await otherPage.goto('/');
  await expect(otherPage).toHaveURL(`${server.url}/messages/${ben.id}`);
  await otherPage.goto('/');
  await expect(otherPage.getByRole('navigation').first()).toBeVisible();
  await expect(otherPage).toHaveURL(`${server.url}/`);
});
