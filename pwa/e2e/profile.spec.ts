import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { join } from './support/phones.ts';
import { expect, test } from './support/test.ts';

const portraitFile = path.join(import.meta.dirname, 'support/portrait.jpg');

async function openEditor(page: Page): Promise<void> {
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await expect(page.getByRole('dialog', { name: 'Edit Profile' })).toBeVisible();
}

/** The member's photos as the server has them, in order. */
async function photosOf(phone: BrowserContext): Promise<string[]> {
  const me = (await (await phone.request.get('/api/auth/user')).json()) as { photos: { id: string }[] };
  return me.photos.map(({ id }) => id);
}

async function upload(phone: BrowserContext): Promise<string> {
  const file = { name: 'portrait.jpg', mimeType: 'image/jpeg', buffer: readFileSync(portraitFile) };
  const answer = await phone.request.post('/api/users/me/photos', { multipart: { photo: file } });
  expect(answer.status()).toBe(201);
  return ((await answer.json()) as { id: string }).id;
}

test('saving a profile sends only what was changed', async ({ phoneA, server }) => {
  await join(phoneA, server, 'Edda Edit');
  const page = await phoneA.newPage();
  const saved: unknown[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') saved.push(request.postDataJSON());
  });
  await openEditor(page);
  await page.getByRole('button', { name: 'Save profile' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  expect(saved, 'nothing changed, nothing sent').toEqual([]);

  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await page.getByLabel('Bio').fill('Now with a garden.');
  await page.getByLabel('Height in cm').fill('173');
  await expect(page.getByText('173 cm (5′8″)')).toBeVisible();
  await page.getByLabel('Education').selectOption({ label: "Master's degree" });
  await page.getByRole('button', { name: 'Save profile' }).click();
  await expect(page.getByText('Profile saved')).toBeVisible();
  await expect(page.getByRole('main')).toContainText('Now with a garden.');
  expect(saved).toEqual([{ bio: 'Now with a garden.', heightCm: 173, education: 'masters' }]);

  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await page.getByLabel('Height in cm').fill('20');
  await page.getByRole('button', { name: 'Save profile' }).click();
  await expect(page.getByLabel('Height in cm')).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Height in cm').fill('');
  await page.getByRole('button', { name: 'Save profile' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  expect(saved.slice(1)).toEqual([{ heightCm: 20 }, { heightCm: null }]);
});

test('photos are added, put in order by button and by drag, and deleted', async ({ phoneA, server }) => {
  await join(phoneA, server, 'Fay Photos');
  const a = await upload(phoneA);
  const b = await upload(phoneA);
  const page = await phoneA.newPage();
  await openEditor(page);
  await page.locator('input[type=file]').setInputFiles(portraitFile);
  await expect(page.getByRole('img', { name: 'Photo 3' })).toBeVisible();
  const [, , c = ''] = await photosOf(phoneA);

  await page.getByRole('button', { name: 'Move photo 3 earlier' }).click();
  await expect.poll(() => photosOf(phoneA)).toEqual([a, c, b]);

  // Drawn in the new order before the drag begins.
  await expect(page.getByRole('img', { name: 'Photo 2' })).toHaveAttribute('src', `/files/${c}/thumb.webp`);
  await page.getByRole('img', { name: 'Photo 1' }).hover();
  await page.mouse.down();
  await page.getByRole('img', { name: 'Photo 2' }).hover();
  await page.mouse.up();
  await expect.poll(() => photosOf(phoneA)).toEqual([c, a, b]);

  await page.getByRole('button', { name: 'Delete photo 2' }).click();
  const question = page.getByRole('dialog', { name: 'Delete this photo?' });
  await question.getByRole('button', { name: 'Keep it' }).click();
  await expect(page.getByRole('img', { name: 'Photo 3' })).toBeVisible();
  await page.getByRole('button', { name: 'Delete photo 2' }).click();
  await question.getByRole('button', { name: 'Delete photo' }).click();
  await expect.poll(() => photosOf(phoneA)).toEqual([c, b]);
  await expect(page.getByRole('img', { name: 'Photo 3' })).toBeHidden();
  expect((await phoneA.request.get(`/files/${a}/thumb.webp`)).status()).toBe(404);
});

test('a file that is no picture is refused with a reason', async ({ phoneA, server }) => {
  await join(phoneA, server, 'Greta Text');
  const page = await phoneA.newPage();
  await openEditor(page);
  const file = { name: 'letter.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('Dear heart,') };
  await page.locator('input[type=file]').setInputFiles(file);
  await expect(page.getByRole('alert')).toContainText(/picture|photo|image/i);
  await expect(page.getByLabel('Uploading photo')).toHaveCount(0);
  expect(await photosOf(phoneA)).toEqual([]);
});

test('six photos leave no room for a seventh', async ({ phoneA, server }) => {
  await join(phoneA, server, 'Hugo Six');
  for (let count = 0; count < 5; count += 1) await upload(phoneA);
  const page = await phoneA.newPage();
  await openEditor(page);
  await page.locator('input[type=file]').setInputFiles([portraitFile, portraitFile, portraitFile]);
  await expect(page.getByRole('img', { name: 'Photo 6' })).toBeVisible();
  await expect(page.getByText('Add a photo')).toHaveCount(0);
  expect(await photosOf(phoneA)).toHaveLength(6);
});

test('the theme goes from light to dark to taco and stays', async ({ phoneA, server }) => {
  await join(phoneA, server, 'Toni Theme');
  const page = await phoneA.newPage();
  const root = page.locator('html');
  await page.goto('/profile?tab=settings');
  await page.getByRole('link', { name: 'Change: Appearance' }).click();
  await expect(root).toHaveAttribute('data-theme', 'light');
  for (const theme of ['dark', 'taco', 'light', 'dark', 'taco']) {
    await page.getByRole('button', { name: `Switch to ${theme}` }).click();
    await expect(root).toHaveAttribute('data-theme', theme);
  }
  await page.reload();
  await expect(root).toHaveAttribute('data-theme', 'taco');
  await page.goto('/profile?tab=settings');
  await page.getByRole('button', { name: 'Sign Out' }).last().click();
  await expect(page.getByRole('link', { name: 'Start Your Love Story Free' })).toBeVisible();
  await expect(root, 'the theme is the device’s').toHaveAttribute('data-theme', 'taco');
});

test('the first visit follows the device, also when it changes', async ({ phoneA }) => {
  const page = await phoneA.newPage();
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
});

test('an address that is none of ours says so and leads home', async ({ phoneA }) => {
  const page = await phoneA.newPage();
  await page.goto('/no/such/page');
  await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible();
  await page.getByRole('link', { name: 'Go home' }).click();
  await expect(page.getByRole('link', { name: 'Start Your Love Story Free' })).toBeVisible();
});
