import type { Page } from '@playwright/test';
import { readDeviceStorage } from './support/device.ts';
import {
  ageCodes,
  bubbles,
  codeFor,
  composer,
  join,
  match,
  newPhone,
  nextCode,
  openConversation,
  sendMessage,
  ticks,
  waitForServiceWorker,
  withWorker,
} from './support/phones.ts';
import { expect, test } from './support/test.ts';
import { thread } from './support/thread.ts';

test.use(withWorker);

const LABEL = /^Keep no messages on this device/;

/** Asserts that no store of the device contains any of the words, nor a photo, nor a database of a member. */
async function expectNothingStored(page: Page, words: string[]): Promise<void> {
  const stored = await page.evaluate(readDeviceStorage);
  for (const word of [...words, '/files/', 'heartward-']) expect(stored).not.toContain(word);
}

test('a device that keeps no messages has none in any store, in both of its tabs, until it keeps them again', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Borrower');
  const ben = await join(phoneB, server, 'Ben Borrower');
  await match(phoneA, ann, phoneB, ben);
  const page = await openConversation(phoneA, ben);
  await waitForServiceWorker(page);
  const address = page.url();
  await sendMessage(page, 'the blue lighthouse');
  await expect(ticks(page, 'sent')).toBeVisible();
  await composer(page).fill('an amber draft');
  await expect.poll(() => page.evaluate(readDeviceStorage)).toContain('an amber draft');
  expect(await page.evaluate(readDeviceStorage)).toContain('the blue lighthouse');

  await page.goto('/settings?tab=privacy');
  const toggle = page.getByRole('switch', { name: LABEL });
  await toggle.click();
  const question = page.getByRole('dialog', { name: 'Keep no messages now?' });
  await expect(question).toContainText('1 draft has not been sent yet.');
  await question.getByRole('button', { name: 'Wait' }).click();
  await expect(toggle).not.toBeChecked();
  expect(await page.evaluate(readDeviceStorage), 'nothing is lost yet').toContain('an amber draft');
  await toggle.click();
  await question.getByRole('button', { name: 'Discard and turn on' }).click();
  await expect(toggle).toBeChecked();
  const words = ['lighthouse', 'amber', 'crimson', 'violet', 'silver', 'Borrower'];
  await expectNothingStored(page, words);

  await page.goto(address);
  await expect.poll(() => bubbles(page), 'fetched from the server').toEqual(['the blue lighthouse']);
  const ofBen = await openConversation(phoneB, ann);
  await sendMessage(ofBen, 'crimson from Ben');
  await expect(thread(page).getByText('crimson from Ben', { exact: true })).toBeVisible();
  const other = await phoneA.newPage();
  await other.goto(address);
  await expect.poll(() => bubbles(other)).toEqual(['the blue lighthouse', 'crimson from Ben']);
  await sendMessage(other, 'violet from the other tab');
  await expect(thread(page).getByText('violet from the other tab', { exact: true })).toBeVisible();
  await sendMessage(page, 'silver from this tab');
  await expect(thread(other).getByText('silver from this tab', { exact: true })).toBeVisible();
  await expect(thread(ofBen).getByText('silver from this tab', { exact: true })).toBeVisible();
  await composer(page).fill('an amber thought');
  await page.getByRole('link', { name: 'Back' }).click();
  await page.getByRole('link', { name: /an amber thought/ }).click();
  await expect(composer(page), 'as long as the page is open').toHaveValue('an amber thought');
  await expectNothingStored(page, words);

  // Leaving the page would lose the draft, so the browser asks.
  const asked = page.waitForEvent('dialog');
  const leaving = page.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await leaving;
  await composer(page).fill('');
  await expectNothingStored(page, words);

  await phoneA.setOffline(true);
  await expect(page.getByText('What you send waits only while Heartward is open.')).toBeVisible();
  await sendMessage(page, 'silver while offline');
  await expect(ticks(page, 'waiting')).toHaveCount(1);
  await expectNothingStored(page, words);
  await phoneA.setOffline(false);
  await expect(thread(ofBen).getByText('silver while offline', { exact: true })).toBeVisible();
  await expect(ticks(page, 'waiting')).toHaveCount(0);
  await other.close();

  await page.goto('/settings?tab=privacy');
  await expect(toggle).toBeChecked();
  await toggle.click();
  await expect(toggle).not.toBeChecked();
  await page.goto(address);
  await expect(thread(page).getByText('silver while offline', { exact: true })).toBeVisible();
  await expect.poll(() => page.evaluate(readDeviceStorage)).toContain('silver while offline');
});

test('without a connection a device that keeps nothing says why nothing is there', async ({
  phoneA,
  server,
}) => {
  await join(phoneA, server, 'Cid Borrower');
  const page = await phoneA.newPage();
  await page.goto('/settings?tab=privacy');
  await waitForServiceWorker(page);
  await page.getByRole('switch', { name: LABEL }).click();
  await expect(page.getByRole('switch', { name: LABEL })).toBeChecked();
  await phoneA.setOffline(true);
  await page.goto('/messages');
  await expect(page.getByText('This device keeps nothing.')).toBeVisible();
  await phoneA.setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'Messages' })).toBeVisible();
});

test('who signs in on a device that is not theirs leaves nothing on it from the first moment', async ({
  browser,
  phoneA,
  server,
}) => {
  const dora = await join(phoneA, server, 'Dora Borrower');
  const signUpCode = await codeFor(server, dora.email);
  await ageCodes(server, dora.email);
  const borrowed = await newPhone(browser, server.url, withWorker);
  const page = await borrowed.newPage();
  await page.goto('/login');
  await page.getByLabel('Email').fill(dora.email);
  await page.getByRole('checkbox', { name: "This isn't my device" }).check();
  await page.getByRole('button', { name: 'Email me a code' }).click();
  await page.getByLabel('Your code').fill(await nextCode(server, dora.email, signUpCode));
  await expect(page.getByRole('heading', { name: 'For You' })).toBeVisible();
  await waitForServiceWorker(page);
  await page.goto('/settings?tab=privacy');
  await expect(page.getByRole('switch', { name: LABEL })).toBeChecked();
  await expectNothingStored(page, ['Borrower', dora.email]);
  await page.goto('/profile?tab=settings');
  await page.getByRole('button', { name: 'Sign Out' }).last().click();
  await expect(page.getByRole('link', { name: /Start Your Love Story Free/ }).first()).toBeVisible();
  await page.goto('/login');
  await expect(page.getByRole('checkbox', { name: "This isn't my device" })).not.toBeChecked();
  await borrowed.close();
});
