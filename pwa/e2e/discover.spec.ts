import type { Page } from '@playwright/test';
import { top, waitForCandidates } from './support/deck.ts';
import { test as demo, signInAsDemo } from './support/demo.ts';
import { addPeople, decisionsOf, hideAllMembers } from './support/people.ts';
import { join } from './support/phones.ts';
import { expect, test } from './support/test.ts';

const cards = (page: Page) => page.getByRole('article');

demo('each card shows the compatibility: green from 80, yellow from 60, blue below', async ({ phoneA }) => {
  await signInAsDemo(phoneA);
  const page = await phoneA.newPage();
  await page.goto('/discover');
  await expect(page.getByText('Smart Matching Active')).toBeVisible();
  await expect(cards(page).first()).toBeVisible();
  // The first page has only the best.
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect(cards(page).nth(12)).toBeAttached();
  const scores = await page.getByText(/^Compatibility \d+%$/).all();
  expect(scores.length).toBeGreaterThan(10);
  const tones = new Set<string>();
  for (const badge of scores) {
    const score = Number(/\d+/.exec((await badge.textContent()) ?? '')?.[0]);
    const tone = score >= 80 ? 'sage' : score >= 60 ? 'marigold' : 'sky';
    await expect(badge, `${score}%`).toHaveClass(new RegExp(`bg-${tone}-soft`));
    tones.add(tone);
  }
  expect(tones.size, 'the demo has more than one kind').toBeGreaterThan(1);
});

test('the grid shows the number of candidates and loads until the last of them', async ({
  phoneA,
  server,
}) => {
  await hideAllMembers(server);
  await join(phoneA, server, 'Dora Deck');
  await addPeople(server, ...Array.from({ length: 57 }, (_, index) => `Person ${index}`));
  await waitForCandidates(phoneA, 50);
  const page = await phoneA.newPage();
  await page.goto('/discover');
  const found = page.getByRole('heading', { name: 'Found 57 compatible matches' });
  await expect(found).toBeVisible();
  const [heading, badge] = [
    await found.boundingBox(),
    await page.getByText('Smart Matching Active').boundingBox(),
  ];
  expect(badge?.y, 'the badge is in the line of the number').toBeLessThan(
    (heading?.y ?? 0) + (heading?.height ?? 0),
  );
  await expect(async () => {
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await expect(cards(page)).toHaveCount(57, { timeout: 500 });
  }).toPass();
  const names = await page.getByRole('article').getByRole('heading').allTextContents();
  expect(new Set(names).size, 'no member twice').toBe(57);
  await expect(page.getByRole('heading', { name: 'Found 57 compatible matches' })).toBeAttached();
});

test('cards far from the window are skipped, and keep their heights', async ({ phoneA, server }) => {
  await hideAllMembers(server);
  await join(phoneA, server, 'Dora Skip');
  await addPeople(server, ...Array.from({ length: 9 }, (_, index) => `Person ${index}`));
  await server.query(
    `UPDATE users SET bio = repeat('A few words more. ', 9) WHERE full_name IN ('Person 2', 'Person 5')`,
  );
  await waitForCandidates(phoneA, 9);
  const page = await phoneA.newPage();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/discover');
  const items = page.getByRole('listitem').filter({ has: cards(page) });
  await expect(items).toHaveCount(9);
  const isSkipped = () =>
    cards(page)
      .last()
      .getByRole('heading')
      .evaluate((heading) => !heading.checkVisibility({ contentVisibilityAuto: true }));
  await expect.poll(isSkipped).toBe(true);
  const heights = () =>
    items.evaluateAll((elements) => elements.map((element) => element.getBoundingClientRect().height));
  const skipped = await heights();
  await items.evaluateAll((elements) => {
    for (const element of elements) element.style.contentVisibility = 'visible';
  });
  expect(await isSkipped()).toBe(false);
  expect(skipped).toEqual(await heights());
});

test('on a phone people come first, also on the first visit and below the invitation', async ({
  phoneA,
  server,
}) => {
  await hideAllMembers(server);
  await join(phoneA, server, 'Dora Deck');
  await addPeople(server, 'Bea Lane');
  await waitForCandidates(phoneA, 1);
  const page = await phoneA.newPage();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/discover');
  const topOfCard = async () => (await cards(page).first().boundingBox())?.y;
  await expect(page.getByText('Welcome, Dora.')).toBeVisible();
  await expect(cards(page)).toBeVisible();
  expect(await topOfCard()).toBeLessThanOrEqual(260);
  await page.getByRole('button', { name: 'Not now' }).click();
  await expect(page.getByText('People near you who want what you want')).toBeVisible();
  expect(await topOfCard()).toBeLessThanOrEqual(260);
});

test('a liked card is marked and cannot be liked again', async ({ phoneA, server }) => {
  await hideAllMembers(server);
  const me = await join(phoneA, server, 'Dora Deck');
  await addPeople(server, 'Bea Lane', 'Cleo Hart');
  await waitForCandidates(phoneA, 2);
  const page = await phoneA.newPage();
  await page.goto('/discover');
  await page.getByRole('button', { name: 'Like Bea Lane', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Liked Bea Lane' })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Super Like Bea Lane' })).toBeDisabled();
  await page.getByRole('button', { name: 'Super Like Cleo Hart' }).click();
  await expect(page.getByRole('button', { name: 'Super Liked Cleo Hart' })).toBeDisabled();
  await expect
    .poll(async () => (await decisionsOf(server, me)).sort())
    .toEqual(['like Bea', 'super_like Cleo']);
});

test('an empty grid says so, and a button searches again', async ({ phoneA, server }) => {
  await hideAllMembers(server);
  await join(phoneA, server, 'Dora Deck');
  await waitForCandidates(phoneA, 0);
  const page = await phoneA.newPage();
  await page.goto('/discover');
  await expect(page.getByRole('heading', { name: 'No matches found' })).toBeVisible();
  const near = page.getByRole('region', { name: 'People near you' });
  await expect(near).toContainText(/people are on Heartward within 50 miles/);
  await expect(near.getByRole('switch', { name: 'Tell me when there are 20 more near me' })).toBeEnabled();
  await expect(page.getByRole('link', { name: 'Invite a friend' })).toHaveAttribute('href', '/referrals');
  await addPeople(server, 'Hana Wood');
  await waitForCandidates(phoneA, 1);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByRole('heading', { name: 'Found 1 compatible match' })).toBeVisible();
});

test("Discover's one-at-a-time view is kept in the address", async ({ phoneA, server }) => {
  await hideAllMembers(server);
  await join(phoneA, server, 'Dora Deck');
  await addPeople(server, 'Hana Wood');
  await waitForCandidates(phoneA, 1);
  const page = await phoneA.newPage();
  await page.goto('/discover');
  await page.getByRole('button', { name: 'Show one at a time' }).click();
  await expect(top(page)).toContainText('Hana,');
  await page.reload();
  await expect(top(page)).toContainText('Hana,');
  await page.getByRole('button', { name: 'Show everyone as a grid' }).click();
  await expect(page.getByRole('heading', { name: 'Found 1 compatible match' })).toBeVisible();
  await expect(page).toHaveURL(/\/discover$/);
});
