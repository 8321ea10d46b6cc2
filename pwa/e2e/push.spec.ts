import type { BrowserContext, CDPSession, Page } from '@playwright/test';
import { wholeBrowser } from './support/browser.ts';
import {
  bubbles,
  installed,
  join,
  match,
  newPhone,
  openConversation,
  type Person,
  ticks,
  withWorker,
  write,
} from './support/phones.ts';
import type { Server } from './support/server.ts';
import { expect, test } from './support/test.ts';

// Headless shells show no notifications.
test.use({ ...withWorker, ...wholeBrowser });

/** The part of a service worker's own world that is used here. */
type WorkerScope = typeof globalThis & {
  registration: ServiceWorkerRegistration;
  NotificationEvent: new (type: string, init: { notification?: Notification }) => Event;
};

type Shown = { title: string; body: string; tag: string; path: string };

/** Notifications on the screen, as the worker's registration lists them. */
function shown(page: Page): Promise<Shown[]> {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const notifications = await registration.getNotifications();
    return notifications.map(({ title, body, tag, data }) => ({ title, body, tag, path: data.path }));
  });
}

/** The worker as the browser's developer tools see it. */
async function workerOf(page: Page): Promise<{ cdp: CDPSession; registrationId: string }> {
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

/** Hands the worker a push as a push service would. */
async function deliver(page: Page, data: string): Promise<void> {
  const { cdp, registrationId } = await workerOf(page);
  const origin = new URL(page.url()).origin;
  await cdp.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
}

/** What the server sends for a message, `body` cut as it cuts it; `site` is the server's PUBLIC_URL. */
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

/** Ann's phone with notifications allowed, matched with Ben. */
async function pair(a: BrowserContext, b: BrowserContext, server: Server): Promise<Pair> {
  await a.grantPermissions(['notifications', 'background-sync'], { origin: server.url });
  const ann = await join(a, server, 'Ann Push');
  const ben = await join(b, server, 'Ben Push');
  await match(a, ann, b, ben);
  const page = await openConversation(a, ben);
  await installed(page);
  return { page, ann, ben };
}

test('a push shows who wrote and how it begins, also while the window is in front', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const { page, ann, ben } = await pair(phoneA, phoneB, server);
  await page.bringToFront();
  const body = `${'a slow letter '.repeat(4).slice(0, 50)}…`;
  await deliver(page, payload(ann, ben, body));
  await expect
    .poll(() => shown(page))
    .toEqual([{ title: 'Ben', body, tag: 'conversation-1', path: `/messages/${ben.id}` }]);

  await deliver(page, payload(ann, ben, 'and one more'));
  await expect
    .poll(() => shown(page), 'the next of a conversation replaces the one before')
    .toEqual([expect.objectContaining({ body: 'and one more' })]);
});

test('a tap on the notification leads the open window to the conversation', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const { page, ben } = await pair(phoneA, phoneB, server);
  await page.goto('/discover');
  await expect(page.getByRole('heading', { name: 'Discover' })).toBeVisible();
  const [worker] = phoneA.serviceWorkers();
  if (!worker) throw new Error('the worker runs');
  // The browser's tap cannot be made from outside; the event is the one it would send.
  await worker.evaluate(async (path) => {
    const scope = globalThis as unknown as WorkerScope;
    await scope.registration.showNotification('Ben', { body: 'Hello', data: { path } });
    const [notification] = await scope.registration.getNotifications();
    scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification }));
  }, `/messages/${ben.id}`);
  await expect(page).toHaveURL(`${server.url}/messages/${ben.id}`);
  await expect(page.getByRole('textbox', { name: 'Message to Ben' })).toBeEditable();
  await expect.poll(() => shown(page)).toEqual([]);
});

test('what was written while the server was away is sent by the worker after the app was closed', async ({
  browser,
  ownServer,
}) => {
  const a = await newPhone(browser, ownServer.url, withWorker);
  const b = await newPhone(browser, ownServer.url, withWorker);
  const { page, ben } = await pair(a, b, ownServer);
  await ownServer.stop();
  await write(page, 'sent by the worker');
  await expect(ticks(page, 'waiting')).toHaveCount(1);
  const elsewhere = await a.newPage();
  const { cdp, registrationId } = await workerOf(elsewhere);
  await page.close();

  await ownServer.start();
  await cdp.send('ServiceWorker.dispatchSyncEvent', {
    origin: ownServer.url,
    registrationId,
    tag: 'hw-outbox',
    lastChance: false,
  });
  const stored = () => ownServer.query('SELECT content FROM messages');
  await expect.poll(stored).toEqual([{ content: 'sent by the worker' }]);
  const again = await openConversation(a, ben);
  await expect.poll(() => bubbles(again)).toEqual(['sent by the worker']);
  await expect(ticks(again, 'sent')).toHaveCount(1);
  await Promise.all([a.close(), b.close()]);
});

/** A push of Ben's message `seq`, which can be answered. */
function answerable(ann: Person, ben: Person, conversationId: string, seq: number, badge = 1): string {
  const told = JSON.parse(payload(ann, ben, 'the newest'));
  told.notification.tag = `conversation-${conversationId}`;
  told.notification.app_badge = badge;
  return JSON.stringify({
    ...told,
    vibrate: true,
    conversation: { id: conversationId, peerId: ben.id, seq },
  });
}

async function conversationOf(phone: BrowserContext): Promise<string> {
  const sync = await (await phone.request.get('/api/sync')).json();
  return (sync as { conversations: { id: string }[] }).conversations[0]?.id ?? '';
}

async function says(phone: BrowserContext, to: Person, content: string): Promise<void> {
  const clientId = crypto.randomUUID();
  const answer = await phone.request.post('/api/messages', {
    data: { recipientId: to.id, content, messageType: 'text', clientId },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
}

/** Presses a button of the only notification, as the browser would. */
async function press(phone: BrowserContext, action: string, reply: string | null = null): Promise<void> {
  const [worker] = phone.serviceWorkers();
  if (!worker) throw new Error('the worker runs');
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

/** The counts that the worker puts at the app's icon, as they come. */
async function watchBadge(phone: BrowserContext): Promise<() => Promise<number[]>> {
  const [worker] = phone.serviceWorkers();
  if (!worker) throw new Error('the worker runs');
  await worker.evaluate(() => {
    const scope = globalThis as unknown as { badges: number[] };
    scope.badges = [];
    Object.assign(navigator, { setAppBadge: async (count: number) => void scope.badges.push(count) });
  });
  return () => worker.evaluate(() => (globalThis as unknown as { badges: number[] }).badges);
}

test('an answer written on the notification is sent, and what it answers is read', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const { page, ann, ben } = await pair(phoneA, phoneB, server);
  const id = await conversationOf(phoneA);
  await page.goto('/settings');
  await says(phoneB, ann, 'are you there?');
  const badges = await watchBadge(phoneA);
  await deliver(page, answerable(ann, ben, id, 1, 3));
  await expect.poll(() => shown(page)).toHaveLength(1);
  await press(phoneA, 'reply', 'yes, on my way');
  await expect.poll(() => shown(page)).toEqual([]);
  const stored = () =>
    server.query('SELECT content FROM messages WHERE conversation_id = $1 ORDER BY seq', [id]);
  await expect.poll(stored).toEqual([{ content: 'are you there?' }, { content: 'yes, on my way' }]);
  const read = () =>
    server.query('SELECT greatest(a_read_seq, b_read_seq) >= 1 AS read FROM conversations WHERE id = $1', [
      id,
    ]);
  await expect.poll(read).toEqual([{ read: true }]);
  expect(await badges()).toEqual([3, 2]);
  await page.goto(`/messages/${ben.id}`);
  await expect.poll(() => bubbles(page)).toEqual(['are you there?', 'yes, on my way']);
});

test('marked as read on the notification, a conversation calls no more, here and at the server', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const { page, ann, ben } = await pair(phoneA, phoneB, server);
  const id = await conversationOf(phoneA);
  await page.goto('/settings');
  await says(phoneB, ann, 'one');
  await says(phoneB, ann, 'two');
  const list = page.getByRole('link', { name: /^Messages/ }).first();
  await expect(list).toHaveAccessibleName(/1/);
  await deliver(page, answerable(ann, ben, id, 2));
  await expect.poll(() => shown(page)).toHaveLength(1);
  await press(phoneA, 'read');
  await expect.poll(() => shown(page)).toEqual([]);
  await expect(list).not.toHaveAccessibleName(/1/);
  const read = () =>
    server.query('SELECT greatest(a_read_seq, b_read_seq) AS seq FROM conversations WHERE id = $1', [id]);
  await expect.poll(read).toEqual([{ seq: '2' }]);
});

test('reading in the app takes the notification away', async ({ phoneA, phoneB, server }) => {
  const { page, ann, ben } = await pair(phoneA, phoneB, server);
  const id = await conversationOf(phoneA);
  await page.goto('/settings');
  await says(phoneB, ann, 'look at this');
  await deliver(page, answerable(ann, ben, id, 1));
  await expect.poll(() => shown(page)).toHaveLength(1);
  await page.goto(`/messages/${ben.id}`);
  await expect(page.getByTestId('bubble-text')).toHaveText('look at this');
  await expect.poll(() => shown(page)).toEqual([]);
});

test('a tap finds its way into an app that is opened only then', async ({ phoneA, phoneB, server }) => {
  const { page, ann, ben } = await pair(phoneA, phoneB, server);
  const id = await conversationOf(phoneA);
  await deliver(page, answerable(ann, ben, id, 1));
  await expect.poll(() => shown(page)).toHaveLength(1);
  const elsewhere = await phoneA.newPage();
  await elsewhere.goto('/healthz');
  await page.close();
  // A window may be opened by a real tap only; the way is noted down all the same.
  await press(phoneA, '');
  await elsewhere.waitForFunction(
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
  await elsewhere.goto('/');
  await expect(elsewhere).toHaveURL(`${server.url}/messages/${ben.id}`);
  await elsewhere.goto('/');
  await expect(elsewhere.getByRole('navigation').first()).toBeVisible();
  await expect(elsewhere).toHaveURL(`${server.url}/`);
});
