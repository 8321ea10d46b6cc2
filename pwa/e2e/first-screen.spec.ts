import type { Page } from '@playwright/test';
import { top } from './support/deck.ts';
import { addPeople, hideAllMembers } from './support/people.ts';
import { join } from './support/phones.ts';
import { stripResponses } from './support/stored-document.ts';
import { expect, test } from './support/test.ts';

/** Returns a list to which the addresses of the page's API requests are added. */
function recordRequests(page: Page): string[] {
  const addresses: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/api/')) addresses.push(pathname + search);
  });
  return addresses;
}

/** In the page: records whether the deck's empty state was ever in it. */
function watchEmptyState(): void {
  const seen = { empty: false };
  Object.assign(globalThis, { seen });
  new MutationObserver(() => {
    if (document.body?.textContent?.includes('No More Matches')) seen.empty = true;
  }).observe(document, { childList: true, subtree: true });
}

test('a start uses the session and the cards in the document, else requests each once, and shows no empty deck before the cards', async ({
  phoneA,
  server,
}) => {
  await hideAllMembers(server);
  await join(phoneA, server, 'Ann Start');
  await addPeople(server, ...Array.from({ length: 14 }, (_, index) => `Person ${index}`));
  await expect
    .poll(async () => ((await (await phoneA.request.get('/api/matches/for-you')).json()) as unknown[]).length)
    .toBe(14);
  for (const start of ['first', 'second', 'stored document']) {
    const page = await phoneA.newPage();
    if (start === 'stored document') await stripResponses(page);
    const requests = recordRequests(page);
    // The clock of the page stands still, because a response that waits for 10 s on a slow machine is requested again.
    await page.clock.setFixedTime(Date.now());
    await page.addInitScript(watchEmptyState);
    await page.goto('/');
    await expect(top(page)).toBeVisible();
    await expect(page.getByText('1 of 14 matches'), 'the first page has 12 of them').toBeVisible();
    const count = (address: string) => requests.filter((one) => one === address).length;
    const expected = start === 'stored document' ? 1 : 0;
    expect(count('/api/auth/session'), start).toBe(expected);
    expect(count('/api/matches/for-you?limit=12'), start).toBe(expected);
    expect(await page.evaluate(() => (globalThis as never as { seen: object }).seen)).toEqual({
      empty: false,
    });
    await page.close();
  }
});
