import type { Page } from '@playwright/test';
import { composer, openConversation, pair, sendMessage } from './support/phones.ts';
import { stripResponses } from './support/stored-document.ts';
import { expect, test } from './support/test.ts';
import { thread } from './support/thread.ts';

const LOADS_LATER = "We can't reach Heartward right now. This will load once you're connected again.";
const tryAgain = (page: Page) => page.getByRole('button', { name: 'Try again' });

/** Aborts the requests of the page's data. Returns a function that lets them through again. */
async function cutOff(page: Page): Promise<() => Promise<void>> {
  const isData = (url: URL) => url.pathname.startsWith('/api/') && !url.pathname.startsWith('/api/auth/');
  await page.route(isData, (route) => route.abort());
  return () => page.unroute(isData);
}

test('screens that could not be loaded say so calmly, lead back, and load when tried again', async ({
  browser,
  server,
}) => {
  const { a, ben } = await pair(browser, server, { workerOn: 'neither' });
  const page = await a.newPage();
  await page.setViewportSize({ width: 390, height: 844 });
  // Without a socket nothing is loaded again by itself.
  await page.routeWebSocket(/\/ws$/, () => undefined);
  await stripResponses(page);
  // While they load, a member does not see the text that the server writes for visitors.
  const isPublic = (url: URL) => /^\/api\/(community|legacy-wall)/.test(url.pathname);
  await page.route(isPublic, () => undefined);
  for (const [path, loading] of [
    ['/community', 'Loading the stories'],
    ['/legacy-wall', 'Loading the wall'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('status', { name: loading })).toBeVisible();
    await expect(page.locator('[data-served]')).toHaveCount(0);
  }
  await page.unroute(isPublic);
  let reconnect = await cutOff(page);
  for (const [path, title] of [
    ['/matches', 'Failed to fetch matches'],
    ['/discover', 'Failed to fetch users'],
    ['/messages', 'Failed to fetch conversations'],
    ['/matches/likes', 'Your likes could not be loaded'],
    ['/community', 'Failed to fetch posts'],
    ['/legacy-wall', 'We could not load the wall'],
    ['/graduation', 'We could not load your graduation'],
    [`/messages/${ben.id}`, 'This conversation could not be loaded'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('alert')).toHaveText(`${title}${LOADS_LATER}Try again`);
  }
  await page.getByRole('link', { name: 'Back', exact: true }).click();
  await expect(page).toHaveURL(/\/messages$/);
  await expect(page.getByRole('alert')).toContainText(LOADS_LATER);
  await page.goto(`/messages/${ben.id}`);
  await expect(tryAgain(page)).toBeVisible();
  await reconnect();
  await tryAgain(page).click();
  await expect(composer(page)).toBeVisible();

  reconnect = await cutOff(page);
  await page.goto('/settings?tab=filters');
  await expect(page.getByRole('alert')).toHaveText(`Your filters could not be loaded${LOADS_LATER}Try again`);
  await reconnect();
  await tryAgain(page).click();
  await expect(page.getByRole('button', { name: /^Apply Filters/ })).toBeVisible();
  await a.close();
});

test('a conversation whose messages could not be loaded offers to try again', async ({ browser, server }) => {
  const { a, b, ann, ben } = await pair(browser, server, { workerOn: 'neither' });
  await sendMessage(await openConversation(b, ann), 'Shall we meet?');
  const page = await a.newPage();
  await page.routeWebSocket(/\/ws$/, () => undefined);
  const isThread = (url: URL) => /^\/api\/messages\/[0-9a-f-]{36}$/.test(url.pathname);
  await page.route(isThread, (route) => route.abort());
  await page.goto(`/messages/${ben.id}`);
  const alert = page.getByRole('alert');
  await expect(alert).toHaveText(`The messages could not be loaded${LOADS_LATER}Try again`);
  await page.unroute(isThread);
  await tryAgain(page).click();
  await expect(thread(page).getByText('Shall we meet?')).toBeVisible();
  await expect(alert).toHaveCount(0);
  await Promise.all([a.close(), b.close()]);
});
