/** What moderators decide about accounts that come back, and what members see of it; the desk is as wide as a phone. */
import { readFileSync } from 'node:fs';
import type { Browser, Page } from '@playwright/test';
import { joinAsAdmin } from './support/admin.ts';
import { expectAccessibleInEveryTheme } from './support/axe.ts';
import { portraitFile } from './support/editor.ts';
import { ageCodes, codeFor, join, newPhone, nextCode } from './support/phones.ts';
import { addPhoto } from './support/photos.ts';
import type { Server } from './support/server.ts';
import { expect, test } from './support/test.ts';

const portrait = readFileSync(portraitFile);

/** Opens the list of reports as a new admin, on a screen of a phone's size. */
async function openReports(browser: Browser, server: Server, name: string) {
  const { computer } = await joinAsAdmin(browser, server, name);
  const page = await computer.newPage();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/admin/dashboard/reports');
  return { computer, page };
}

async function openReport(page: Page, link: RegExp): Promise<void> {
  await page.getByRole('link', { name: link }).click();
  await page.getByRole('textbox', { name: 'Why do you open it?' }).fill('The queue');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('radio', { name: /^No action/ })).toBeVisible();
}

/** Asserts that the screen is accessible and not wider than the phone. */
async function expectUsableOnPhone(page: Page, state: string): Promise<void> {
  await expectAccessibleInEveryTheme(page, state);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect.soft(overflow, state).toBeLessThanOrEqual(0);
  if (process.env.SHOTS)
    await page.screenshot({
      path: `${process.env.SHOTS}/${state.replaceAll(' ', '-')}.png`,
      fullPage: true,
    });
}

test('a second account of a blocked member is hidden from the blocker, and an admin keeps the two apart', async ({
  browser,
  ownServer: server,
}) => {
  const [a, b, c] = [
    await newPhone(browser, server.url),
    await newPhone(browser, server.url),
    await newPhone(browser, server.url),
  ];
  await join(a, server, 'Ann Apart');
  const bob = await join(b, server, 'Bob Apart');
  await addPhoto(b, portrait);
  expect((await a.request.post('/api/blocks', { data: { userId: bob.id } })).status()).toBeLessThan(300);
  const rob = await join(c, server, 'Rob Again');
  const seenByAnn = async () => (await a.request.get(`/api/users/${rob.id}`)).status();
  expect(await seenByAnn(), 'without a photo nothing tells who he is').toBe(200);
  await addPhoto(c, portrait);
  await expect.poll(seenByAnn).toBe(404);

  const { computer, page } = await openReports(browser, server, 'Mo Apart');
  expect((await computer.request.get(`/api/users/${rob.id}`)).status(), 'others see him').toBe(200);
  await openReport(page, /Rob Again/);
  await expect(page.getByText('The comparison with photos of blocked members')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'What was found' })).toBeVisible();
  await expect(page.getByText('whom 1 member has blocked')).toBeVisible();
  await page.getByRole('radio', { name: /^Keep apart/ }).check();
  await expect(page.getByLabel('Explanation'), 'nobody is told').toHaveCount(0);
  await page.getByRole('textbox', { name: 'Reason' }).fill('The same face');
  await expectUsableOnPhone(page, 'keep apart');
  await page.getByRole('button', { name: 'Send decision' }).click();
  const outcome = page.getByRole('region', { name: 'Outcome' });
  await expect(outcome).toContainText(
    'The member stays hidden from those who blocked the other account. Nobody is told.',
  );
  await expectUsableOnPhone(page, 'kept apart');
  expect(await seenByAnn()).toBe(404);
  expect((await computer.request.get(`/api/users/${rob.id}`)).status()).toBe(200);
  expect(await server.query('SELECT FROM sanctions')).toEqual([]);
  for (const context of [a, b, c, computer]) await context.close();
});

test('an admin bans a reported member who deleted the account, and the address does not join again', async ({
  browser,
  phoneA,
  phoneB,
  server,
}) => {
  await join(phoneA, server, 'Ann Left');
  const ben = await join(phoneB, server, 'Ben Left');
  const data = { userId: ben.id, reason: 'scam', description: 'He asked for money.', place: 'card' };
  expect((await phoneA.request.post('/api/reports', { data })).status()).toBe(201);
  expect((await phoneB.request.post('/api/users/me/deletion')).ok()).toBe(true);
  await server.query('UPDATE users SET deletion_due_at = now() WHERE id = $1', [ben.id]);
  await server.query(
    "UPDATE river_job SET scheduled_at = now(), state = 'available' WHERE kind = 'delete_account' AND args->>'memberId' = $1",
    [ben.id],
  );
  await server.mail(ben.email, 'has been deleted');

  const { computer, page } = await openReports(browser, server, 'Mo Left');
  await openReport(page, /Scam or money.*Deleted account/);
  await expect(page.getByText('Deleted before the decision.')).toBeVisible();
  await expect(page.getByText('He asked for money.')).toBeVisible();
  await expect(page.getByRole('radio'), 'no action, ban and not of age').toHaveCount(3);
  await page.getByRole('radio', { name: /^Ban/ }).check();
  await expect(page.getByText('The account is deleted, so nobody gets an email.')).toBeVisible();
  await page.getByLabel('Explanation').fill('A scam.');
  await page.getByRole('textbox', { name: 'Reason' }).fill('Clear from the report');
  await expectUsableOnPhone(page, 'departed member');
  await page.getByRole('button', { name: 'Send decision' }).click();
  await expect(page.getByRole('region', { name: 'Outcome' })).toContainText(
    'The address and the photos of the deleted account are banned.',
  );

  const again = await newPhone(browser, server.url);
  const before = await codeFor(server, ben.email);
  await ageCodes(server, ben.email);
  await again.request.post('/api/auth/code', { data: { email: ben.email } });
  const response = await again.request.post('/api/users', {
    data: {
      email: ben.email,
      fullName: 'Ben Back',
      age: 31,
      city: 'Portland',
      state: 'OR',
      bio: 'Hello',
      code: await nextCode(server, ben.email, before),
      honorCode: true,
    },
  });
  expect(response.status()).toBe(403);
  await Promise.all([computer.close(), again.close()]);
});
