import path from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';

export const portraitFile = path.join(import.meta.dirname, 'portrait.jpg');

export async function openEditor(page: Page): Promise<void> {
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await expect(page.getByRole('dialog', { name: 'Edit Profile' })).toBeVisible();
}

/** Opens a section of the profile and returns its sheet. The editor must be open. */
export async function openSection(page: Page, title: string): Promise<Locator> {
  const editor = page.getByRole('dialog', { name: 'Edit Profile' });
  // The button's name also contains the section's current values.
  await editor.getByRole('button', { name: new RegExp(`^${title}`) }).click();
  const sheet = page.getByRole('dialog', { name: title });
  await expect(sheet).toBeVisible();
  return sheet;
}

/** Accepts the picture as it is cropped. */
export async function cropAndUse(page: Page): Promise<void> {
  const cropper = page.getByRole('dialog', { name: 'Crop your photo' });
  await cropper.getByRole('button', { name: 'Use photo' }).click();
  await expect(cropper).toBeHidden();
}
