import type { BrowserContext, Page } from '@playwright/test';
import { expectAccessibleInEveryTheme } from './support/axe.ts';
import { cropAndUse, portraitFile } from './support/editor.ts';
import { codeFor, join, newEmail } from './support/phones.ts';
import { expect, test } from './support/test.ts';

type Profile = { welcomed: boolean; photos: unknown[]; bio: string; gender: string | null };
const profileOf = async (phone: BrowserContext) =>
  (await (await phone.request.get('/api/auth/user')).json()) as Profile;

const step = (page: Page, title: string) => page.getByRole('heading', { name: title, level: 2 });
const invitation = (page: Page) => page.getByRole('complementary', { name: 'Finish your profile' });

test('signing up leads to Discover with an invitation; the steps can be left, resumed and finished', async ({
  phoneA,
  server,
}) => {
  const email = newEmail('Nia New');
  const page = await phoneA.newPage();
  await page.goto('/signup');
  await page.getByLabel('Full Name').fill('Nia New');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Age').fill('33');
  await page.getByLabel('City').fill('Boise');
  await page.getByLabel('State').fill('ID');
  await page.getByLabel('Bio/Reflection').fill('Long walks.');
  await page.getByRole('checkbox', { name: /Honor Code/ }).check();
  await page.getByRole('button', { name: 'Create My Profile' }).click();
  await page.getByLabel('Your code').fill(await codeFor(server, email));
  await expect(page).toHaveURL(/\/discover$/);
  await expect(invitation(page)).toContainText('Welcome, Nia.');

  // By keyboard, because the welcome toast covers it.
  await invitation(page).getByRole('link', { name: 'Finish your profile' }).press('Enter');
  await expect(page.getByText('Step 1 of 5')).toBeVisible();
  await page.locator('input[type=file]').setInputFiles(portraitFile);
  await cropAndUse(page);
  await expect(page.getByRole('img', { name: 'Photo 1' })).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(step(page, 'In your words')).toBeVisible();
  await page.getByLabel('Bio').fill('Long walks, and now with a dog.');
  await page.getByRole('link', { name: 'Finish later' }).click();
  await expect(page).toHaveURL(/\/discover$/);
  expect(await profileOf(phoneA)).toMatchObject({ welcomed: false, bio: 'Long walks.' });

  await page.goto('/profile');
  await page.getByRole('link', { name: 'Continue step by step' }).click();
  await expect(step(page, 'In your words')).toBeVisible();
  await expect(page.getByLabel('Bio'), 'the text is kept after leaving').toHaveValue(
    'Long walks, and now with a dog.',
  );
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(step(page, 'Who you’d like to meet')).toBeVisible();
  await page.goBack();
  await expect(step(page, 'In your words'), 'the browser goes back by one step').toBeVisible();
  await page.goForward();
  await page.getByLabel('Gender', { exact: true }).selectOption({ label: 'Woman' });
  await page.getByRole('button', { name: 'Skip this step' }).click();
  await expect(step(page, 'Where you are and what you want')).toBeVisible();
  await page.getByRole('button', { name: 'Life partner' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(step(page, 'Say hello')).toBeVisible();
  await page.getByRole('button', { name: 'Finish', exact: true }).click();
  await expect(page.getByText('Your profile is ready')).toBeVisible();
  await expect(page).toHaveURL(/\/discover$/);
  await expect(invitation(page)).toHaveCount(0);
  const profile = await profileOf(phoneA);
  expect(profile).toMatchObject({
    welcomed: true,
    bio: 'Long walks, and now with a dog.',
    gender: null,
    relationshipGoals: ['Life partner'],
  });
  expect(profile.photos).toHaveLength(1);
});

test('"not now" stops the invitation, and the profile still leads to the steps', async ({
  phoneA,
  server,
}) => {
  await join(phoneA, server, 'Noa Later');
  const page = await phoneA.newPage();
  await page.goto('/discover');
  await invitation(page).getByRole('button', { name: 'Not now' }).click();
  await expect(invitation(page)).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Discover', level: 1 })).toBeVisible();
  await expect(invitation(page)).toHaveCount(0);
  await page.goto('/profile');
  await expect(page.getByRole('link', { name: 'Continue step by step' })).toBeVisible();
  await page.getByRole('button', { name: 'Whether you want children' }).click();
  await expect(page.getByRole('dialog', { name: 'Work, children, beliefs' })).toBeVisible();
});

test('every step passes axe in every theme and fits a narrow window', async ({ phoneA, server }) => {
  await join(phoneA, server, 'Ada Steps');
  const page = await phoneA.newPage();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const [index, id] of ['photos', 'words', 'meet', 'town', 'voice'].entries()) {
    await test.step(id, async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(`/start?step=${id}`);
      await expect(page.getByText(`Step ${index + 1} of 5`)).toBeVisible();
      await expectAccessibleInEveryTheme(page, id);
      await page.setViewportSize({ width: 320, height: 568 });
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(wider, id).toBeLessThanOrEqual(0);
    });
  }
});
