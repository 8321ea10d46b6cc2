import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BrowserContext, chromium } from '@playwright/test';
import { launchOptions } from './support/browser.ts';
import { readDeviceStorage } from './support/device.ts';
import { openEditor, openSection } from './support/editor.ts';
import { join } from './support/phones.ts';
import { expect, test } from './support/test.ts';

const bioOf = async (phone: BrowserContext) =>
  ((await (await phone.request.get('/api/auth/user')).json()) as { bio: string }).bio;
const KEPT = 'Kept on this device';

test('an unsaved edit is there after leaving, until it is discarded', async ({ phoneA, server }) => {
  await join(phoneA, server, 'Dora Draft');
  const page = await phoneA.newPage();
  await openEditor(page);
  const section = await openSection(page, 'About you');
  await page.getByLabel('Bio').fill('Half a thought');
  // Stored, with the minute in which it waits: a write that a reload interrupts is sent at the next start.
  await expect(section.getByRole('status')).toContainText('Kept on this device');
  await page.reload();
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await expect(page.getByRole('button', { name: /About you/ })).toContainText('Not saved yet');
  const about = await openSection(page, 'About you');
  await expect(page.getByLabel('Bio')).toHaveValue('Half a thought');
  await about.getByRole('button', { name: 'Discard changes' }).click();
  await expect(page.getByLabel('Bio')).toHaveValue('I am Dora Draft and I like slow mornings.');
  await page.keyboard.press('Escape');
  await expect(about).toBeHidden();
  await expect(page.getByRole('button', { name: /About you/ })).not.toContainText('Not saved yet');
});

test('a bio saved offline is kept, and saved by itself once the phone is connected', async ({
  phoneA,
  server,
}) => {
  await join(phoneA, server, 'Edda Offline');
  const first = await bioOf(phoneA);
  const page = await phoneA.newPage();
  await openEditor(page);
  const about = await openSection(page, 'About you');
  await phoneA.setOffline(true);
  await page.getByLabel('Bio').fill('Written in a tunnel.');
  await expect(about.getByRole('status')).toHaveText(/saved once you're connected again/);
  await about.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(KEPT, { exact: true })).toBeVisible();
  const row = page.getByRole('button', { name: /About you/ });
  await expect(row).toContainText('Not saved yet');
  expect(await bioOf(phoneA)).toBe(first);
  await phoneA.setOffline(false);
  await expect.poll(() => bioOf(phoneA)).toBe('Written in a tunnel.');
  await expect(row).not.toContainText('Not saved yet');
  await expect(row).toContainText('Written in a tunnel.');
});

test('a bio written offline does not replace a newer one of another device unless the member saves it', async ({
  phoneA,
  server,
}) => {
  await join(phoneA, server, 'Edda Both');
  const page = await phoneA.newPage();
  await openEditor(page);
  const about = await openSection(page, 'About you');
  await phoneA.setOffline(true);
  await page.getByLabel('Bio').fill('From the phone.');
  await about.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(KEPT, { exact: true })).toBeVisible();
  await phoneA.request.patch('/api/users/me', { data: { bio: 'From the laptop.' } });
  await phoneA.setOffline(false);
  await expect(page.getByText('Your profile text was not saved')).toBeVisible();
  expect(await bioOf(phoneA)).toBe('From the laptop.');
  await openSection(page, 'About you');
  await expect(about.getByRole('status')).toContainText('There it is “From the laptop.”');
  await expect(page.getByLabel('Bio')).toHaveValue('From the phone.');
  await about.getByRole('button', { name: 'Save' }).click();
  await expect(about).toBeHidden();
  expect(await bioOf(phoneA)).toBe('From the phone.');
});

/** Kills all processes of a browser, as a phone without memory does. */
function killBrowser(profile: string): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(profile))
        process.kill(Number(pid), 'SIGKILL');
    } catch {
      // The process has ended meanwhile.
    }
  }
}

test('a bio is kept when the browser is killed right after the last letter, and saved by itself later', async ({
  server,
}) => {
  const profile = mkdtempSync(path.join(tmpdir(), 'hw-killed-'));
  const launch = () => chromium.launchPersistentContext(profile, { ...launchOptions, baseURL: server.url });
  let context = await launch();
  try {
    await join(context, server, 'Edda Killed');
    const first = await bioOf(context);
    // The killed browser may not have stored its newest cookies.
    const state = await context.storageState();
    const page = await context.newPage();
    await openEditor(page);
    await openSection(page, 'About you');
    await page.getByLabel('Bio').fill('Cut off in the mid');
    await expect.poll(() => page.evaluate(readDeviceStorage)).toContain('"before"');
    killBrowser(profile);
    await context.close().catch(() => undefined);

    context = await launch();
    await context.addCookies(state.cookies);
    const next = await context.newPage();
    await next.clock.install();
    await openEditor(next);
    await expect(next.getByRole('button', { name: /About you/ })).toContainText('Not saved yet');
    await openSection(next, 'About you');
    await expect(next.getByLabel('Bio')).toHaveValue('Cut off in the mid');
    expect(await bioOf(context), 'others do not read an unfinished text').toBe(first);
    await next.clock.fastForward(60_000);
    await expect.poll(() => bioOf(context)).toBe('Cut off in the mid');
  } finally {
    await context.close().catch(() => undefined);
    rmSync(profile, { recursive: true, force: true });
  }
});
