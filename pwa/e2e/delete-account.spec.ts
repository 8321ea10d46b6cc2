import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectAccessibleInEveryTheme } from './support/axe.ts';
import {
  ageCodes,
  bubbles,
  codeFor,
  nextCode,
  openConversation,
  pair,
  sendMessage,
} from './support/phones.ts';
import { expect, test } from './support/test.ts';
import { thread } from './support/thread.ts';
import { unzip } from './support/unzip.ts';

/** Opens the dialog about the deletion of the account. */
async function openDeletion(page: Page) {
  await page.goto('/profile?tab=settings');
  await page.getByRole('button', { name: 'Delete my account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  await expect(dialog.getByText('For 14 days you can change your mind')).toBeVisible();
  await expect(dialog.getByText('leave the community board')).toBeVisible();
  return dialog;
}

test('a member deletes the account, signs in again, gets the own data and keeps the account', async ({
  browser,
  server,
}) => {
  const { a, b, ann } = await pair(browser, server, { workerOn: 'neither' });
  const page = await a.newPage();
  const dialog = await openDeletion(page);
  await a.setOffline(true);
  await expect(dialog.getByText('Deleting your account needs a connection.')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Delete my account' })).toBeDisabled();
  await a.setOffline(false);
  await dialog.getByRole('button', { name: 'Delete my account' }).click();
  await expect(page.getByRole('heading', { name: 'Goodbye for now' })).toBeVisible();
  await expect(page.getByText('In 14 days we delete your account for good.')).toBeVisible();
  await expectAccessibleInEveryTheme(page, 'goodbye');
  expect((await server.mail(ann.email, 'will be deleted')).text).toContain('Keep my account');
  const matches = await b.request.get('/api/matches');
  expect(await matches.json()).toEqual([]);

  await ageCodes(server, ann.email);
  const signUpCode = await codeFor(server, ann.email);
  await page.getByLabel('Email').fill(ann.email);
  await page.getByRole('button', { name: 'Email me a code' }).click();
  await page.getByLabel('Your code').fill(await nextCode(server, ann.email, signUpCode));
  await expect(page.getByRole('heading', { name: 'Would you like to stay?' })).toBeVisible();
  await expect(page.getByText('You asked us to delete this account.')).toBeVisible();
  const offered = await page.getByRole('main').getByRole('button').allTextContents();
  expect(offered).toEqual(['Sign Out', 'Keep my account', 'Ask for my data']);
  expect(await page.getByRole('main').getByRole('link').count()).toBe(0);
  await expectAccessibleInEveryTheme(page, 'leaving');
  await page.screenshot({ path: test.info().outputPath('leaving.png'), fullPage: true });
  expect((await a.request.get('/api/matches')).status()).toBe(403);
  expect(await (await b.request.get('/api/matches')).json(), 'a sign-in keeps nothing').toEqual([]);

  await page.getByRole('button', { name: 'Ask for my data' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(
    unzip(await readFile(await download.path()))
      .get('profile/profile.json')
      ?.toString(),
  ).toContain(ann.email);
  await expect(page.getByText('You downloaded your file on')).toBeVisible();

  await page.getByRole('button', { name: 'Keep my account' }).click();
  await expect(page.getByText('Your account stays.')).toBeVisible();
  await page.goto('/messages');
  await expect(page.getByRole('link', { name: /Ben/ })).toBeVisible();
});

test('a member confirms the deletion, and after 14 days the other member has the own messages with a former member', async ({
  browser,
  server,
}) => {
  const { a, b, ann, ben } = await pair(browser, server, { workerOn: 'neither' });
  const annPage = await openConversation(a, ben);
  await sendMessage(annPage, 'Words of Ann');
  const page = await openConversation(b, ann);
  await expect(thread(page).getByText('Words of Ann', { exact: true })).toBeVisible();
  await sendMessage(page, 'Words of Ben');
  await expect(thread(annPage).getByText('Words of Ben', { exact: true })).toBeVisible();
  await server.query("UPDATE sessions SET proved_at = now() - interval '20 minutes' WHERE user_id = $1", [
    ann.id,
  ]);
  await ageCodes(server, ann.email);
  const signUpCode = await codeFor(server, ann.email);
  await openDeletion(annPage);
  await annPage.getByRole('dialog').getByRole('button', { name: 'Delete my account' }).click();
  await annPage.getByRole('button', { name: 'Email me a code' }).click();
  await annPage.getByLabel('Code from your email').fill(await nextCode(server, ann.email, signUpCode));
  await annPage.getByRole('button', { name: 'Confirm' }).click();
  await expect(annPage.getByRole('heading', { name: 'Goodbye for now' })).toBeVisible();
  await server.query('UPDATE users SET deletion_due_at = now() WHERE id = $1', [ann.id]);
  await server.query(
    "UPDATE river_job SET scheduled_at = now(), state = 'available' WHERE kind = 'delete_account' AND args->>'memberId' = $1",
    [ann.id],
  );
  expect((await server.mail(ann.email, 'has been deleted')).text).toContain('date plans');

  await page.goto('/messages');
  await page.getByRole('link', { name: /Former member/ }).click();
  await expect(page.getByText('This person deleted their account')).toBeVisible();
  await expect(page.getByRole('textbox')).toBeHidden();
  await expect.poll(() => bubbles(page)).toEqual(['Message deleted', 'Words of Ben']);
  await page.goto('/matches');
  await expect(page.getByText('Ann Harper')).toBeHidden();
});
