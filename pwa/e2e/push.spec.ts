import type { BrowserContext, CDPSession, Page } from '@playwright/test';
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

test.use(withWorker);

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

/** When the newest notification was made, 0 without one. */
function newest(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const made = (await registration.getNotifications()) as (Notification & { timestamp: number })[];
    return Math.max(0, ...made.map(({ timestamp }) => timestamp));
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

/** What the server sends for a message, `body` cut as it cuts it. */
function payload(member: Person, other: Person, body: string): string {
  return JSON.stringify({
    web_push: 8030,
    member: member.id,
    app_badge: 1,
    mutable: true,
    notification: {
      title: other.fullName.split(' ')[0],
      body,
      navigate: `/messages/${other.id}`,
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

test('a push that cannot be read, or is for somebody else, says nothing of its content', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const { page, ben } = await pair(phoneA, phoneB, server);
  const general = {
    title: 'Heartward',
    body: 'There is something new for you.',
    tag: 'heartward',
    path: '/',
  };
  let before = 0;
  for (const data of ['no json at all', '', '{"notification":null}', payload(ben, ben, 'a secret')]) {
    await deliver(page, data);
    // Each takes the place of the one before: they differ in nothing but their time.
    await expect.poll(() => newest(page), data).toBeGreaterThan(before);
    before = await newest(page);
    expect(await shown(page)).toEqual([general]);
  }
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
