import type { Page } from '@playwright/test';
import { expectReadableInEveryTheme } from './support/axe.ts';
import { expect, signInAsDemo, test } from './support/demo.ts';

type View = {
  name: string;
  path: string;
  before?: (page: Page) => Promise<void>;
  open: (page: Page) => Promise<void>;
};

const views: View[] = [
  {
    name: 'More About with photos',
    path: '/',
    async open(page) {
      await page.getByRole('button', { name: /^More about/ }).click();
      const panel = page.getByRole('dialog', { name: /^More About/ });
      await panel.getByRole('button', { name: 'Photos' }).click();
      await expect(panel.getByRole('img').first()).toBeVisible();
    },
  },
  {
    name: 'the sheet for a like',
    path: '/',
    async open(page) {
      await page.getByRole('button', { name: /^Like this photo/ }).click();
      await expect(page.getByRole('textbox', { name: 'Add a comment (optional)' })).toBeVisible();
    },
  },
  {
    name: 'the filter panel',
    path: '/discover',
    async open(page) {
      await page.getByRole('button', { name: 'Customize Search' }).click();
      await page.getByRole('switch', { name: 'Anywhere' }).check();
      await expect(page.getByRole('button', { name: /^Apply Filters.*Show/ })).toBeVisible();
    },
  },
  {
    name: 'the filters of the settings',
    path: '/settings?tab=filters',
    open: (page) => expect(page.getByRole('button', { name: 'Foodie' })).toBeVisible(),
  },
  {
    name: 'no matches, and what would help',
    path: '/discover',
    async before(page) {
      // Only the looks matter here: the demo members stay as they are.
      await page.route('**/api/discover?*', (route) => route.fulfill({ json: [] }));
      await page.route('**/api/discover', (route) => route.fulfill({ json: [] }));
      await page.route('**/api/discovery/preview', async (route) => {
        const { filters } = route.request().postDataJSON() as { filters: unknown };
        const suggestion = (text: string, people: number) => ({ filter: text, text, people, filters });
        const suggestions = [
          suggestion('Widen the distance to 75 miles: 12 people', 12),
          suggestion('Look at all intentions: 3 people', 3),
        ];
        await route.fulfill({ json: { count: 0, more: false, suggestions } });
      });
    },
    open: (page) => expect(page.getByRole('button', { name: /^Widen the distance/ })).toBeVisible(),
  },
];

for (const { name, path, before, open } of views) {
  test(`${name}: readable for all in every theme, and fits every window`, async ({ phoneA }) => {
    await signInAsDemo(phoneA);
    const page = await phoneA.newPage();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await before?.(page);
    await page.goto(path);
    await open(page);
    await expectReadableInEveryTheme(page);
    for (const [width, height] of [
      [320, 568],
      [390, 844],
      [768, 1024],
      [1440, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      const over = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect.soft(over, `at ${width}`).toBe(0);
    }
  });
}

test('the deck is worked by keys alone, and says what happened', async ({ phoneA }) => {
  await signInAsDemo(phoneA);
  const page = await phoneA.newPage();
  await page.goto('/');
  const card = page.getByTestId('top-card');
  await expect(card.getByRole('img').first()).toBeVisible();
  const name = (await card.getByRole('heading').textContent())?.split(',')[0] ?? '';
  await expect(page.getByRole('group', { name: 'Matches for you' })).toHaveAccessibleDescription(
    /left arrow key to pass.*Z to undo a pass/,
  );
  const said = page.locator('main > [aria-live="polite"]');
  await page.keyboard.press('ArrowLeft');
  await expect(said).toContainText(`Passed on ${name}. Next: `);
  await page.keyboard.press('z');
  await expect(said).toHaveText(`${name} is back.`);
  await expect(card).toContainText(`${name},`);

  const about = page.getByRole('button', { name: `More about ${name}` });
  await about.focus();
  await page.keyboard.press('Enter');
  const panel = page.getByRole('dialog', { name: `More About ${name}` });
  await panel.getByRole('button', { name: 'Voice' }).focus();
  await page.keyboard.press('Space');
  await expect(panel.getByRole('button', { name: 'Voice' })).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('z');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await expect(about).toBeFocused();
  await expect(card, 'a key in the panel decides nothing').toContainText(`${name},`);

  // The card goes with the button that had the focus.
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('group', { name: 'Matches for you' })).toBeFocused();
  await page.keyboard.press('z');
  await expect(card).toContainText(`${name},`);
});
