import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from '@playwright/test';
import { findViolations } from './support/axe.ts';
import { portraitFile } from './support/editor.ts';
import { ageCodes, codeFor, nextCode, openConversation, pair, sendMessage } from './support/phones.ts';
import { addPhoto } from './support/photos.ts';
import { expect, test } from './support/test.ts';
import { unzip } from './support/unzip.ts';

/** Writes the files of an archive into a folder, and returns the address of its index.html. */
async function extract(files: Map<string, Buffer>): Promise<string> {
  const folder = test.info().outputPath('data');
  for (const [name, content] of files) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  return pathToFileURL(path.join(folder, 'index.html')).href;
}

/** Opens the pages of an archive from the disk, without scripts and a network, and reads them. */
async function readPages(browser: Browser, index: string) {
  const reader = await browser.newContext({ javaScriptEnabled: false, offline: true });
  const page = await reader.newPage();
  await page.goto(index);
  await expect(page.getByRole('heading', { name: 'Your Heartward data', level: 1 })).toBeVisible();
  const picture = page.getByRole('img', { name: 'A picture of yours' }).first();
  await picture.scrollIntoViewIfNeeded();
  await expect(picture).toBeVisible();
  await page.getByRole('link', { name: 'Ben' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ben');
  await expect(page.locator('.message')).toHaveText([
    /You.*Words of Ann for the file/s,
    /Ben.*Words of Ben for the file/s,
  ]);
  await page.getByRole('link', { name: 'Your Heartward data' }).click();
  await expect(page.getByRole('heading', { name: 'Your Heartward data', level: 1 })).toBeVisible();
  await reader.close();
}

/** Looks at the pages in both colour schemes, on a phone and a desk: nothing overflows, axe finds nothing. */
async function inspectPages(browser: Browser, index: string) {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [390, 1280]) {
      const reader = await browser.newContext({ colorScheme, viewport: { width, height: 844 } });
      const page = await reader.newPage();
      await page.goto(index);
      const broken = await page.locator('img').evaluateAll(async (images) => {
        const all = images as HTMLImageElement[];
        for (const image of all) image.loading = 'eager'; // also in what is folded
        await Promise.all(all.map((image) => image.decode().catch(() => undefined)));
        return all.filter(({ naturalWidth }) => naturalWidth === 0).map(({ src }) => src);
      });
      expect(broken, 'pictures that do not display').toEqual([]);
      for (const name of ['index', 'conversation']) {
        if (name === 'conversation') await page.getByRole('link', { name: 'Ben' }).click();
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect.soft(overflow, `${name} at ${width}`).toBeLessThanOrEqual(0);
        expect.soft(await findViolations(page), `${name} ${colorScheme}`).toEqual([]);
        const picture = `${name}-${colorScheme}-${width}.png`;
        await page.screenshot({ path: test.info().outputPath(picture), fullPage: true });
      }
      await reader.close();
    }
}

test('a member asks for the own data, downloads it once, opens it in the browser, and finds the own words and nothing private of others', async ({
  browser,
  server,
}) => {
  const { a, b, ann, ben } = await pair(browser, server, { workerOn: 'neither' });
  const annPage = await openConversation(a, ben);
  await sendMessage(annPage, 'Words of Ann for the file');
  const benPage = await openConversation(b, ann);
  await sendMessage(benPage, 'Words of Ben for the file');
  const photo = await addPhoto(a, await readFile(portraitFile));
  await b.request.patch('/api/users/me', { data: { religion: 'buddhist', hideReadReceipts: true } });

  await server.query("UPDATE sessions SET proved_at = now() - interval '20 minutes' WHERE user_id = $1", [
    ann.id,
  ]);
  await ageCodes(server, ann.email);
  const signUpCode = await codeFor(server, ann.email);
  const page = await a.newPage();
  await page.goto('/profile?tab=settings');
  const section = page.locator('section', { has: page.getByRole('heading', { name: 'Your data' }) });
  await expect(section.getByText('Get a file with everything')).toBeVisible();
  await a.setOffline(true);
  await expect(section.getByText('Asking for your data needs a connection.')).toBeVisible();
  await expect(section.getByRole('button', { name: 'Ask for my data' })).toBeDisabled();
  await a.setOffline(false);
  await section.getByRole('button', { name: 'Ask for my data' }).click();
  await page.getByRole('button', { name: 'Email me a code' }).click();
  await page.getByLabel('Code from your email').fill(await nextCode(server, ann.email, signUpCode));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(section.getByText('Your file is ready')).toBeVisible();
  expect((await server.mail(ann.email, 'data is ready')).text).toContain('/profile?tab=settings');
  await section.scrollIntoViewIfNeeded();
  await page.screenshot({ path: test.info().outputPath('ready.png') });

  const installed = await a.newPage();
  await installed.addInitScript(() => Object.assign(navigator, { standalone: true }));
  await installed.goto('/profile?tab=settings');
  await expect(installed.getByText('Please open Heartward in Safari, and download it there.')).toBeVisible();
  await expect(installed.getByRole('button', { name: 'Download' })).toBeHidden();
  await installed.close();

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    section.getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^heartward-\d{4}-\d{2}-\d{2}\.zip$/);
  const files = unzip(await readFile(await download.path()));
  expect([...files.keys()]).toEqual(
    expect.arrayContaining([
      'README.txt',
      'index.html',
      'schema.json',
      'SHA256SUMS',
      `files/${photo}.webp`,
      'profile/profile.json',
      'matching/matches.json',
    ]),
  );
  const all = [...files.values()].map((content) => content.toString('utf8')).join('\n');
  expect(all).toContain('Words of Ann for the file');
  expect(all).toContain('Words of Ben for the file');
  expect(all).toContain(ann.email);
  for (const hidden of [ben.email, 'buddhist', 'password_hash', 'token_hash'])
    expect(all).not.toContain(hidden);
  await expect(section.getByText('You downloaded your file on')).toBeVisible();
  await expect(section.getByRole('button', { name: 'Ask for my data' })).toBeVisible();

  const index = await extract(files);
  await readPages(browser, index);
  await inspectPages(browser, index);
});
