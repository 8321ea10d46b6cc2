import type { BrowserContext, Page } from '@playwright/test';
import { join, match, openConversation, sendMessage, ticks } from './support/phones.ts';
import { expect, test } from './support/test.ts';

/** Whether the member with this id is among the candidates of the phone's member. */
async function isOffered(phone: BrowserContext, id: string): Promise<boolean> {
  const list = (await (await phone.request.get('/api/discover')).json()) as { id: string }[];
  return list.some((member) => member.id === id);
}

test('pausing and going incognito hide a member, and a pause survives a reload', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const ines = await join(phoneA, server, 'Ines Incognito', { city: 'Nome', state: 'AK' });
  const sam = await join(phoneB, server, 'Sam Seeker', { city: 'Nome', state: 'AK' });
  await expect.poll(() => isOffered(phoneB, ines.id)).toBe(true);
  const page = await phoneA.newPage();
  await page.goto('/settings?tab=privacy');
  const pause = page.getByRole('switch', { name: 'Pause my profile' });
  const incognito = page.getByRole('switch', { name: 'Incognito' });

  await pause.click();
  await expect(page.getByText('Settings saved')).toBeVisible();
  await expect.poll(() => isOffered(phoneB, ines.id)).toBe(false);
  const pausedLike = await phoneA.request.post('/api/likes', {
    data: { toUserId: sam.id, likeType: 'like' },
  });
  expect(pausedLike.status(), 'a paused member cannot like others').toBe(403);
  await page.reload();
  await expect(pause).toBeChecked();
  await expect(incognito).not.toBeChecked();
  await pause.click();
  await expect(pause).not.toBeChecked();
  await expect.poll(() => isOffered(phoneB, ines.id)).toBe(true);

  await incognito.press('Space');
  await expect(incognito).toBeChecked();
  await expect.poll(() => isOffered(phoneB, ines.id)).toBe(false);
  const incognitoLike = await phoneA.request.post('/api/likes', {
    data: { toUserId: sam.id, likeType: 'like' },
  });
  expect(incognitoLike.ok(), await incognitoLike.text()).toBe(true);
  await expect.poll(() => isOffered(phoneB, ines.id), 'members she likes still see her').toBe(true);
});

/** In the page: returns the day ten days from now as a date field has it. */
function inTenDays(): string {
  const day = new Date();
  day.setDate(day.getDate() + 10);
  return day.toLocaleDateString('sv-SE');
}

test('a pause with an end shows its end on Discover and For You, where the member resumes', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const pia = await join(phoneA, server, 'Pia Pauses', { city: 'Nome', state: 'AK' });
  await join(phoneB, server, 'Sid Seeker', { city: 'Nome', state: 'AK' });
  const page = await phoneA.newPage();
  await page.goto('/settings?tab=privacy');
  await page.getByRole('switch', { name: 'Pause my profile' }).click();
  const end = page.getByLabel('How long');
  await expect(end).toHaveValue('none');
  await end.selectOption('3 days');
  await expect(end.locator(':checked')).toHaveText(/^Until \w+day at /);
  await end.selectOption('Until a date…');
  await page.getByLabel('Back on').fill(await page.evaluate(inTenDays));
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(end.locator(':checked')).toHaveText(/^Until \w+ \d+(, \d+)?$/);
  await expect.poll(() => isOffered(phoneB, pia.id)).toBe(false);

  const banner = page.getByRole('complementary', { name: 'Paused profile' });
  await page.goto('/discover');
  await expect(banner).toContainText(/Paused until \w+ \d+/);
  await page.goto('/');
  await banner.getByRole('button', { name: 'Resume' }).click();
  await expect(banner).toBeHidden();
  await expect.poll(() => isOffered(phoneB, pia.id)).toBe(true);
});

/** The line under the other member's name. */
const presence = (page: Page) => page.getByRole('link', { name: /View profile$/ });

test('hiding presence and read receipts takes effect at once on the open screens, and so does showing them again', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Seen');
  const ben = await join(phoneB, server, 'Ben Hides');
  await match(phoneA, ann, phoneB, ben);
  const pageA = await openConversation(phoneA, ben);
  const pageB = await openConversation(phoneB, ann);
  const settings = await phoneB.newPage();
  await settings.goto('/settings?tab=privacy');
  await sendMessage(pageA, 'are you there?');
  await expect(ticks(pageA, 'read')).toHaveCount(1);
  await expect(presence(pageA)).toContainText('Online');
  await expect(presence(pageB)).toContainText('Online');

  const hide = settings.getByRole('switch', { name: 'Hide when I am online' });
  await hide.click();
  await expect(presence(pageA), 'neither the presence nor the last-seen time').toContainText('Portland');
  await expect(presence(pageB)).toContainText('Portland');
  await hide.click();
  await expect(presence(pageA)).toContainText('Online');
  await expect(presence(pageB)).toContainText('Online');

  const receipts = settings.getByRole('switch', { name: 'Hide read receipts' });
  await receipts.click();
  await expect(ticks(pageA, 'delivered')).toHaveCount(1);
  await receipts.click();
  await expect(ticks(pageA, 'read')).toHaveCount(1);
});

test('a member shows only the first name until they match', async ({ phoneA, phoneB, server }) => {
  const ines = await join(phoneA, server, 'Ines Initially', { city: 'Nome', state: 'AK' });
  await join(phoneB, server, 'Sam Seeker', { city: 'Nome', state: 'AK' });
  await expect.poll(() => isOffered(phoneB, ines.id)).toBe(true);
  const other = await phoneB.newPage();
  await other.goto('/discover');
  await expect(other.getByRole('heading', { name: 'Ines Initially' })).toBeVisible();
  const page = await phoneA.newPage();
  await page.goto('/settings?tab=privacy');
  await page.getByRole('switch', { name: 'First name only until we match' }).click();
  await expect(page.getByText('Settings saved')).toBeVisible();
  await other.reload();
  await expect(other.getByRole('heading', { name: /^Ines(?! Initially)/ })).toBeVisible();
  await expect(other.getByRole('heading', { name: 'Ines Initially' })).toHaveCount(0);
});
