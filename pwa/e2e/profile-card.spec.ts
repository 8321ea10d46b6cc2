import { waitForCandidates } from './support/deck.ts';
import { hideAllMembers } from './support/people.ts';
import { join } from './support/phones.ts';
import { expect, test } from './support/test.ts';

const prompts = [{ question: 'Together we could', answer: 'Learn to bake bread.' }];

test('a profile that was seen only as a card shows the parts of the card, and the rest once it can be fetched', async ({
  phoneA,
  phoneB,
  server,
}) => {
  await hideAllMembers(server);
  await join(phoneA, server, 'Dora Deck');
  const pia = await join(phoneB, server, 'Pia Photo');
  await phoneB.request.patch('/api/users/me', { data: { prompts } });
  await waitForCandidates(phoneA, 1);
  const page = await phoneA.newPage();
  const profile = `**/api/users/${pia.id}`;
  await page.route(profile, (route) => route.abort());
  await page.goto('/discover');
  await page.getByRole('link', { name: "View Pia Photo's profile" }).click();
  await expect(page.getByText('The rest of this profile loads when you are online.')).toBeVisible();
  await expect(page.getByText('I am Pia Photo and I like slow mornings.')).toBeVisible();
  await expect(page.getByText('Learn to bake bread.')).toBeHidden();

  await page.unroute(profile);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Learn to bake bread.').first()).toBeVisible();
  await expect(page.getByText('The rest of this profile')).toBeHidden();

  await page.getByRole('button', { name: 'Like', exact: true }).click();
  await page.route(profile, (route) => route.abort());
  await page.reload();
  await expect(
    page.getByText('Learn to bake bread.').first(),
    'a like keeps the whole profile',
  ).toBeVisible();
});

test('on a wide screen the rest of a profile is fetched when the member asks for it', async ({
  phoneA,
  phoneB,
  server,
}) => {
  await hideAllMembers(server);
  await join(phoneA, server, 'Dora Deck');
  const pia = await join(phoneB, server, 'Pia Photo');
  await phoneB.request.patch('/api/users/me', { data: { prompts } });
  await waitForCandidates(phoneA, 1);
  const page = await phoneA.newPage();
  await page.setViewportSize({ width: 1440, height: 900 });
  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith(`/api/users/${pia.id}`)) requests.push(request.url());
  });
  await page.goto('/');
  const panel = page.getByRole('region', { name: 'More About Pia' });
  await expect(panel).toContainText('I am Pia Photo and I like slow mornings.');
  await expect(panel).not.toContainText('Learn to bake bread.');
  await panel.getByRole('button', { name: 'Show Pia’s photos, answers and more' }).click();
  await expect(panel).toContainText('Learn to bake bread.');
  await expect(panel.getByRole('button', { name: 'Photos' })).toBeVisible();
  expect(requests, 'only a click opens the profile').toHaveLength(1);
});
