import type { BrowserContext } from '@playwright/test';
import { cropAndUse, openEditor, openSection, portraitFile } from './support/editor.ts';
import { join } from './support/phones.ts';
import { expect, test } from './support/test.ts';

const WAITING = 'Waiting for a connection. The upload will continue automatically.';

/** Returns the photos of the member at the server. */
async function photosOf(phone: BrowserContext): Promise<{ id: string }[]> {
  return ((await (await phone.request.get('/api/auth/user')).json()) as { photos: { id: string }[] }).photos;
}

test('a photo whose upload loses the network is added once', async ({ phoneA, server }) => {
  await join(phoneA, server, 'Nora Network');
  const page = await phoneA.newPage();
  await openEditor(page);
  const files = page.locator('input[type=file]');
  const waiting = page.getByRole('status').filter({ hasText: WAITING });
  const photo = (number: number) => page.getByRole('img', { name: `Photo ${number}`, exact: true });

  await test.step('the connection is lost after the upload is created, and the same upload continues', async () => {
    const createdUrls: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/api/uploads'))
        createdUrls.push(request.url());
    });
    await page.route('**/api/uploads/*', (route) => route.abort());
    await files.setInputFiles(portraitFile);
    await cropAndUse(page);
    await expect(waiting).toBeVisible();
    await page.unroute('**/api/uploads/*');
    await expect(photo(1)).toBeVisible();
    expect(createdUrls).toHaveLength(1);
    expect(await photosOf(phoneA)).toHaveLength(1);
  });

  await test.step('the connection is lost before the first byte', async () => {
    await files.setInputFiles(portraitFile);
    await expect(page.getByRole('button', { name: 'Use photo' })).toBeEnabled();
    await phoneA.setOffline(true);
    await cropAndUse(page);
    await expect(waiting).toBeVisible();
    await phoneA.setOffline(false);
    await expect(photo(2)).toBeVisible();
    await expect(waiting).toHaveCount(0);
    expect(await photosOf(phoneA)).toHaveLength(2);
  });

  await test.step('the response to the added photo is lost', async () => {
    let addCount = 0;
    await page.route('**/api/users/me/photos', async (route) => {
      const response = await route.fetch();
      expect(response.status()).toBe(201);
      addCount += 1;
      if (addCount === 1) await route.abort();
      else await route.fulfill({ response });
    });
    await files.setInputFiles(portraitFile);
    await cropAndUse(page);
    await expect(photo(3)).toBeVisible();
    expect(addCount).toBe(2);
    expect(await photosOf(phoneA)).toHaveLength(3);
  });

  await test.step('an upload that waits can be cancelled', async () => {
    await page.unroute('**/api/users/me/photos');
    await phoneA.setOffline(true);
    await files.setInputFiles(portraitFile);
    await cropAndUse(page);
    await expect(waiting).toBeVisible();
    await page.getByRole('button', { name: 'Leave it out' }).click();
    await expect(waiting).toHaveCount(0);
    await phoneA.setOffline(false);
    await openEditor(page);
    await expect(photo(3)).toBeVisible();
    await expect(photo(4)).toHaveCount(0);
    expect(await photosOf(phoneA)).toHaveLength(3);
  });
});

test('a photo and a greeting continue their uploads after a reload', async ({ phoneA, server }) => {
  await join(phoneA, server, 'Rita Reload');
  const page = await phoneA.newPage();
  const waiting = page.getByRole('status').filter({ hasText: WAITING });
  const createdUrls: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/api/uploads'))
      createdUrls.push(request.url());
  });

  await test.step('the photo', async () => {
    await page.goto('/start/photo');
    await page.route('**/api/uploads/*', (route) => route.abort());
    await page.getByLabel('Choose from your library').setInputFiles(portraitFile);
    await cropAndUse(page);
    await expect(waiting).toBeVisible();
    await page.reload();
    await expect(waiting).toBeVisible();
    await page.unroute('**/api/uploads/*');
    await expect(page.getByRole('img', { name: 'Photo 1' })).toBeVisible();
    expect(createdUrls).toHaveLength(1);
    expect(await photosOf(phoneA)).toHaveLength(1);
  });

  await test.step('the greeting', async () => {
    await openEditor(page);
    await openSection(page, 'Voice greeting');
    await page.getByRole('button', { name: 'Record your voice' }).click();
    await expect(page.getByText(/^0:0[1-9] of/)).toBeVisible();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.route('**/api/uploads/*', (route) => route.abort());
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(waiting).toBeVisible();
    await page.reload();
    await openEditor(page);
    await openSection(page, 'Voice greeting');
    await expect(page.getByText('Saving your greeting')).toBeVisible();
    await page.unroute('**/api/uploads/*');
    await expect(page.getByRole('button', { name: 'Record again' })).toBeVisible();
    expect(createdUrls).toHaveLength(2);
    await expect(page.getByText('Recording saved')).toBeVisible();
  });
});

test('a photo that waits in one tab is shown in another, which sends it after the first is closed', async ({
  phoneA,
  server,
}) => {
  await join(phoneA, server, 'Tara Tabs');
  const [first, second] = [await phoneA.newPage(), await phoneA.newPage()];
  const createdUrls: string[] = [];
  phoneA.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/api/uploads'))
      createdUrls.push(request.url());
  });
  await openEditor(first);
  await phoneA.route('**/api/uploads/*', (route) => route.abort());
  await first.locator('input[type=file]').setInputFiles(portraitFile);
  await cropAndUse(first);
  await expect(first.getByRole('status').filter({ hasText: WAITING })).toBeVisible();

  await openEditor(second);
  await expect(second.getByRole('progressbar', { name: 'Uploading photo' })).toBeVisible();
  await first.close();
  await phoneA.unroute('**/api/uploads/*');
  await expect(second.getByRole('img', { name: 'Photo 1', exact: true })).toBeVisible();
  await expect(second.getByRole('progressbar', { name: 'Uploading photo' })).toHaveCount(0);
  expect(createdUrls).toHaveLength(1);
  expect(await photosOf(phoneA)).toHaveLength(1);
});
