import type { BrowserContext, Page } from '@playwright/test';
import { expectAccessibleInEveryTheme } from './support/axe.ts';
import { readDeviceStorage } from './support/device.ts';
import { cropAndUse, portraitFile } from './support/editor.ts';
import { join, signInOn, waitForServiceWorker, withWorker } from './support/phones.ts';
import type { Server } from './support/server.ts';
import { question, signUpToStart } from './support/start.ts';
import { expect, test } from './support/test.ts';

type Profile = {
  welcomed: boolean;
  startStep: string | null;
  photos: unknown[];
  prompts: unknown[];
  bio: string;
  gender: string | null;
  interestedIn: string[];
};
const profileOf = async (phone: BrowserContext) =>
  (await (await phone.request.get('/api/auth/user')).json()) as Profile;

/** What the server has of a member whose phone is offline. */
const serverProfile = async (server: Server, name: string) =>
  (
    await server.query<{ gender: string | null; welcomed: boolean }>(
      'SELECT gender, welcomed_at IS NOT NULL AS welcomed FROM users WHERE full_name = $1',
      [name],
    )
  )[0];

const invitation = (page: Page) => page.getByRole('complementary', { name: 'Finish your profile' });

test('a new member answers one question a screen, from the code to the first people', async ({
  phoneA,
  server,
}) => {
  const page = await phoneA.newPage();
  await signUpToStart(page, server, 'Nia New');

  await test.step('who they are: one tap, nothing is chosen before, and the focus follows', async () => {
    await expect(page.getByText('Step 1 of 4')).toBeVisible();
    await expect(page.locator('[aria-pressed=true]')).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Finish later' })).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Sign Out' }), 'a way out').toBeVisible();
    await page.getByRole('button', { name: 'Woman', exact: true }).click();
    await expect(page).toHaveURL(/\/start\/seek$/);
    await expect(question(page, 'Who would you like to see?')).toBeFocused();
    await expect.poll(() => profileOf(phoneA)).toMatchObject({ gender: 'woman', startStep: 'seek' });
  });

  await test.step('no address shows people before', async () => {
    for (const address of ['/', '/discover', '/discover?mode=for-you', '/start']) {
      await page.goto(address);
      await expect(page, address).toHaveURL(/\/start\/seek$/);
    }
  });

  await test.step('whom they want to see: saved at once, and kept over a reload and back', async () => {
    await expect(page.locator('[aria-pressed=true]')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Continue' })).toBeDisabled();
    await page.getByRole('button', { name: 'Men', exact: true }).click();
    await page.getByRole('button', { name: 'Nonbinary people' }).click();
    await expect
      .poll(() => profileOf(phoneA))
      .toMatchObject({ interestedIn: ['man', 'nonbinary'], startStep: 'seek' });
    await page.reload();
    await expect(page.locator('[aria-pressed=true]')).toHaveText(['Men', 'Nonbinary people']);
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await expect(question(page, 'Who are you?')).toBeFocused();
    await expect(page.locator('[aria-pressed=true]')).toHaveText(['Woman']);
    await page.goBack();
    await expect(question(page, 'Who would you like to see?')).toBeVisible();
    await page.getByRole('button', { name: 'Continue' }).click();
  });

  await test.step('a photo, from the library', async () => {
    await expect(question(page, 'Add a photo of you')).toBeFocused();
    await expect(page.getByLabel('Take a photo')).toHaveAttribute('capture', 'user');
    await page.getByLabel('Choose from your library').setInputFiles(portraitFile);
    await cropAndUse(page);
    await expect(page.getByRole('img', { name: 'Photo 1' })).toBeVisible();
    await page.getByRole('button', { name: 'Continue' }).click();
  });

  await test.step('a first answer, with examples; it is kept when they leave', async () => {
    await expect(question(page, 'Answer one question')).toBeFocused();
    await page.getByRole('button', { name: /^Ask me about For example: The summer/ }).click();
    await expect(page.getByLabel('Your answer')).toBeFocused();
    await page.getByLabel('Your answer').fill('My bees.');
    await page.getByRole('link', { name: 'Finish later' }).click();
    await expect(page).toHaveURL(/\/discover$/);
    await invitation(page).getByRole('link', { name: 'Finish your profile' }).press('Enter');
    await expect(page).toHaveURL(/\/start\/prompt$/);
    await expect(page.getByLabel('Your answer')).toHaveValue('My bees.');
    await page.getByRole('button', { name: 'Finish', exact: true }).click();
  });

  await expect(page.getByText('Your profile is ready')).toBeVisible();
  await expect(page).toHaveURL(/\/discover$/);
  await expect(page.getByRole('heading', { name: 'Discover', level: 1 })).toBeVisible();
  await expect(invitation(page)).toHaveCount(0);
  await expect
    .poll(() => profileOf(phoneA))
    .toMatchObject({
      welcomed: true,
      startStep: null,
      bio: 'Long walks.',
      gender: 'woman',
      interestedIn: ['man', 'nonbinary'],
      prompts: [{ question: 'Ask me about', answer: 'My bees.' }],
    });
  expect((await profileOf(phoneA)).photos).toHaveLength(1);
});

test('another device continues at the question that was reached, also past answers that were left out', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const page = await phoneA.newPage();
  const email = await signUpToStart(page, server, 'Tove Twice');
  await page.getByRole('button', { name: "I'd rather not say" }).click();
  await page.getByRole('button', { name: 'Everyone' }).click();
  await page.getByRole('button', { name: 'Skip this step' }).click();
  await expect(question(page, 'Answer one question')).toBeVisible();
  await expect
    .poll(() => profileOf(phoneA))
    .toMatchObject({ startStep: 'prompt', gender: null, interestedIn: [] });

  await signInOn(phoneB, server, { id: '', email, fullName: 'Tove Twice' });
  const other = await phoneB.newPage();
  await other.goto('/start');
  await expect(question(other, 'Answer one question')).toBeVisible();
  await other.goto('/start/seek');
  await expect(other.locator('[aria-pressed=true]'), 'what was answered is shown as answered').toHaveText([
    'Everyone',
  ]);
  await other.goto('/discover');
  await expect(invitation(other)).toBeVisible();
  await other.goto('/start/prompt');
  await other.getByRole('button', { name: 'Skip this step' }).click();
  await expect(other).toHaveURL(/\/discover$/);
  await expect.poll(() => profileOf(phoneB)).toMatchObject({ welcomed: true, startStep: null });
});

test.describe('without a connection', () => {
  test.use(withWorker);

  test('a new member answers offline, reloads, and the answers are sent later', async ({
    phoneA,
    server,
  }) => {
    const page = await phoneA.newPage();
    await signUpToStart(page, server, 'Ofelia Off');
    await waitForServiceWorker(page);
    // The own profile is stored when the browser is idle.
    await expect.poll(() => page.evaluate(readDeviceStorage)).toContain('"startStep":"gender"');
    await phoneA.setOffline(true);
    await page.getByRole('button', { name: 'Woman', exact: true }).click();
    await expect(question(page, 'Who would you like to see?')).toBeVisible();
    await page.getByRole('button', { name: 'Women', exact: true }).click();
    // A choice is shown a moment before it is stored.
    await expect.poll(() => page.evaluate(readDeviceStorage)).toContain('"interestedIn":["woman"]');
    await page.reload();
    await expect(page.locator('[aria-pressed=true]')).toHaveText(['Women']);
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(question(page, 'Add a photo of you')).toBeVisible();
    await page.getByRole('button', { name: 'Skip this step' }).click();
    // The questions were not loaded since the reload.
    await expect(page.getByText("The questions load once you're connected.")).toBeVisible();
    await page.getByRole('button', { name: 'Skip this step' }).click();
    await expect(page.getByText('Your profile is ready')).toBeVisible();
    await expect(page).toHaveURL(/\/discover$/);
    await expect(page.getByRole('alert').filter({ hasText: 'Error' }), 'nothing failed').toHaveCount(0);
    expect(await serverProfile(server, 'Ofelia Off')).toEqual({ gender: null, welcomed: false });
    await phoneA.setOffline(false);
    await expect.poll(() => serverProfile(server, 'Ofelia Off')).toEqual({ gender: 'woman', welcomed: true });
    await expect.poll(() => profileOf(phoneA)).toMatchObject({ interestedIn: ['woman'], startStep: null });
    await expect(page, 'who was shown people stays there').toHaveURL(/\/discover$/);
  });
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
  for (const [index, id] of ['gender', 'seek', 'photo', 'prompt'].entries()) {
    await test.step(id, async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(`/start/${id}`);
      await expect(page.getByText(`Step ${index + 1} of 4`)).toBeVisible();
      await expectAccessibleInEveryTheme(page, id);
      await page.setViewportSize({ width: 320, height: 568 });
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(wider, id).toBeLessThanOrEqual(0);
    });
  }
});
