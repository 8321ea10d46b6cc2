import { readFileSync } from 'node:fs';
import { expectAccessibleInEveryTheme } from './support/axe.ts';
import { portraitFile } from './support/editor.ts';
import { join } from './support/phones.ts';
import { addPhoto } from './support/photos.ts';
import { expect, test } from './support/test.ts';

const answer = `Learn to bake bread. ${'And then eat it together, slowly. '.repeat(6)}`.trim();

test('the own profile begins with the face, and shows what others see in their order, uncut', async ({
  phoneA,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Face');
  await addPhoto(phoneA, readFileSync(portraitFile));
  await addPhoto(phoneA, readFileSync(portraitFile));
  const data = {
    prompts: [{ question: 'Together we could', answer }],
    loveReflection: 'Being awaited.',
    occupation: 'Train driver',
    personalityTraits: ['Curious'],
  };
  expect((await phoneA.request.patch('/api/users/me', { data })).ok()).toBe(true);
  const page = await phoneA.newPage();
  await page.setViewportSize({ width: 390, height: 844 });

  const parts = [
    'Train driver',
    'I am Ann Face and I like slow mornings.',
    'Together we could',
    answer,
    'Being awaited.',
    'What Ann is like',
  ];
  for (const path of [`/profile/${ann.id}`, '/profile']) {
    await page.goto(path);
    let above = 0;
    for (const part of parts) {
      const shown = page.getByRole('main').getByText(part).first();
      await expect(shown, path).toBeVisible();
      const top = await shown.evaluate((element) => element.getBoundingClientRect().top + scrollY);
      expect(top, `${path}: ${part}`).toBeGreaterThan(above);
      above = top;
    }
  }
  const face = page.getByRole('link', { name: 'See your profile as others see it' });
  const box = await face.boundingBox();
  expect(box?.width, 'as wide as the screen').toBeGreaterThan(340);
  await expect(page.getByRole('heading', { name: /^Ann Face, \d+$/ })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('button', { name: 'Edit Profile' })).toBeInViewport({ ratio: 1 });
  const facts = page.getByRole('region', { name: 'At a glance' });
  const counters = page.getByRole('main').locator('dl').first();
  expect((await facts.boundingBox())?.y ?? 0).toBeLessThan((await counters.boundingBox())?.y ?? 0);
  await expectAccessibleInEveryTheme(page, 'own profile');
});

test('a row of the settings opens its group by keyboard and by a tap anywhere, and Back returns to the list', async ({
  phoneA,
  server,
}) => {
  await join(phoneA, server, 'Ann Layer');
  const page = await phoneA.newPage();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/profile?tab=settings');
  for (const [row, group] of [
    ['Configure: Notifications', 'Notifications'],
    ['Change: Appearance', 'Appearance'],
    ['Change: Filters', 'Filters'],
    ['Change: Media', 'Media'],
    ['Manage: Privacy Settings', 'Privacy'],
  ] as const) {
    await page.getByRole('link', { name: row }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('tab', { name: group })).toHaveAttribute('aria-selected', 'true');
    await page.getByRole('link', { name: 'Back' }).click();
    await expect(page).toHaveURL(/\/profile\?tab=settings$/);
  }
  // A finger on the text of a row meets the link that covers it.
  const row = page.getByRole('listitem').filter({ hasText: 'How voice and video messages play' });
  await row.click({ position: { x: 60, y: 20 } });
  await expect(page.getByRole('tab', { name: 'Media' })).toHaveAttribute('aria-selected', 'true');
});

test('without a photo the buttons of the own profile have one line each on a tablet', async ({
  phoneA,
  server,
}) => {
  await join(phoneA, server, 'Ann Tablet');
  const page = await phoneA.newPage();
  await page.setViewportSize({ width: 768, height: 1024 });
  await page.goto('/profile');
  for (const button of [
    page.getByRole('button', { name: 'Edit Profile' }),
    page.getByRole('link', { name: 'Preview' }),
  ]) {
    const lines = await button.evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element.lastChild ?? element);
      return range.getClientRects().length;
    });
    expect(lines).toBe(1);
  }
});
