import type { BrowserContext } from '@playwright/test';
import { expectAccessibleInEveryTheme } from './support/axe.ts';
import { join, newPhone } from './support/phones.ts';
import { expect, test } from './support/test.ts';

/** Whether the member with this id is among the candidates of the phone's member. */
async function isOffered(phone: BrowserContext, id: string): Promise<boolean> {
  const list = (await (await phone.request.get('/api/discover')).json()) as { id: string }[];
  return list.some((member) => member.id === id);
}

test('another device of the member shows a visit as soon as it begins, and its people', async ({
  browser,
  phoneA,
  phoneB,
  server,
}) => {
  await join(phoneA, server, 'Vera Visits', { city: 'Nome', state: 'AK' });
  const lia = await join(phoneB, server, 'Lia Lyon', { city: 'Lyon', state: 'France' });
  const laptop = await newPhone(browser, server.url, { storageState: await phoneA.storageState() });
  const page = await laptop.newPage();
  const online = page
    .waitForEvent('websocket')
    .then((ws) => ws.waitForEvent('framereceived', ({ payload }) => payload.includes('"identified"')));
  await page.goto('/discover');
  await expect(page.getByRole('heading', { name: 'Discover', level: 1 })).toBeVisible();
  await online;
  const visit = { data: { city: 'Lyon', state: 'France' } };
  expect((await phoneA.request.put('/api/users/me/visit', visit)).status()).toBe(200);
  await expect(page.getByRole('complementary', { name: 'Another town' })).toContainText('Looking in Lyon');
  await expect(page.getByRole('article').filter({ hasText: lia.fullName })).toBeVisible();
  await laptop.close();
});

test('a member looks in another town, both sides see it, and goes back home', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const vera = await join(phoneA, server, 'Vera Visits', { city: 'Nome', state: 'AK' });
  const lia = await join(phoneB, server, 'Lia Lisboa', { city: 'Lisbon', state: 'Portugal' });
  const page = await phoneA.newPage();
  await page.goto('/discover');
  await page.getByRole('button', { name: 'Customize Search' }).click();
  await page.getByRole('link', { name: 'Look in another town for a week' }).click();
  const settings = page.getByRole('region', { name: 'Look in another town for a week' });
  await settings.getByRole('button', { name: 'Choose a town' }).click();
  await expect(settings.getByText('Everyone who sees your card or profile also sees')).toBeVisible();
  await settings.getByLabel('Town').fill('lisb');
  await settings.getByRole('option', { name: 'Lisbon, Portugal' }).click();
  await expect(settings.getByText('Others will see “Visiting Lisbon this week”')).toBeVisible();
  await expectAccessibleInEveryTheme(page);
  await settings.getByRole('button', { name: 'Look there' }).click();
  await expect(settings.getByText(/^Looking in Lisbon until \w+/)).toBeVisible();

  await phoneA.setOffline(true);
  await expect(settings.getByText('You can choose a town when you are back.')).toBeVisible();
  await expect(settings.getByText(/^Looking in Lisbon until \w+/)).toBeVisible();
  await phoneA.setOffline(false);
  await expect(settings.getByRole('button', { name: 'Choose another town' })).toBeEnabled();

  await expect.poll(() => isOffered(phoneB, vera.id)).toBe(true);
  const other = await phoneB.newPage();
  await other.goto('/discover');
  const card = other.getByRole('article').filter({ hasText: 'Vera Visits' });
  await expect(card).toContainText('Nome, AK');
  await expect(card).toContainText('within 5 miles');
  await expect(card).toContainText('Visiting Lisbon this week');
  await other.goto(`/profile/${vera.id}`);
  await expect(other.getByText('Visiting Lisbon this week')).toBeVisible();
  await expect(other.getByText('You are both in Lisbon this week.')).toBeVisible();

  const banner = page.getByRole('complementary', { name: 'Another town' });
  await page.goto('/');
  await expect(banner).toContainText(/Looking in Lisbon until \w+/);
  await expectAccessibleInEveryTheme(page);
  await page.goto('/discover');
  await expect(page.getByRole('article').filter({ hasText: lia.fullName })).toBeVisible();
  await banner.getByRole('button', { name: 'Back home' }).click();
  await expect(banner).toBeHidden();
  await expect(page.getByRole('article').filter({ hasText: lia.fullName })).toBeHidden();
  await expect.poll(() => isOffered(phoneB, vera.id)).toBe(false);
});
