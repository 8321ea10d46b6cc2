import type { Page } from '@playwright/test';
import { expectAccessibleInEveryTheme } from './support/axe.ts';
import { expect, signInAsDemo, test } from './support/demo.ts';
import { join } from './support/phones.ts';

type View = {
  name: string;
  path: string;
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
    async open(page) {
      await page.locator('summary', { hasText: 'Who they are' }).click();
      await expect(page.getByRole('button', { name: 'Foodie' })).toBeVisible();
    },
  },
];

async function expectAccessibleAt(page: Page, { name, path, open }: View): Promise<void> {
  await test.step(name, async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(path);
    await open(page);
    await expectAccessibleInEveryTheme(page, name);
    for (const [width, height] of [
      [320, 568],
      [390, 844],
      [768, 1024],
      [1440, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect.soft(overflow, `${name} at ${width}`).toBe(0);
    }
  });
}

test('photos, the like sheet and filters pass axe in every theme and fit every width', async ({ phoneA }) => {
  await signInAsDemo(phoneA);
  const page = await phoneA.newPage();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const view of views) await expectAccessibleAt(page, view);
});

test('the empty state with its suggestions passes axe in every theme and fits every width', async ({
  phoneA,
  server,
}) => {
  // No demo member lives within a new member's default distance.
  await join(phoneA, server, 'Nina North', { city: 'Eugene', state: 'OR' });
  const page = await phoneA.newPage();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await expectAccessibleAt(page, {
    name: 'no matches',
    path: '/discover',
    open: () => expect(page.getByRole('button', { name: /^Widen the distance/ })).toBeVisible(),
  });
});

test('the deck works by keyboard alone and announces each decision', async ({ phoneA }) => {
  await signInAsDemo(phoneA);
  const page = await phoneA.newPage();
  await page.goto('/');
  const card = page.getByTestId('top-card');
  await expect(card.getByRole('img').first()).toBeVisible();
  const name = (await card.getByRole('heading').textContent())?.split(',')[0] ?? '';
  const deck = page.getByRole('group', { name: 'Matches for you' });
  await expect(deck).toHaveAccessibleDescription(
    /left arrow key to pass, S to super like and Z to undo a pass/,
  );
  const announcement = page.locator('main > [aria-live="polite"]');
  for (const key of ['ArrowLeft', 'ArrowRight', 's', 'z']) await page.keyboard.press(key);
  await expect(card, 'keys outside the deck are ignored').toContainText(`${name},`);
  for (let step = 0; step < 20; step += 1) {
    await page.keyboard.press('Tab');
    if (await deck.evaluate((group) => group === document.activeElement)) break;
  }
  await expect(deck, 'Tab reaches the deck').toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(card, 'an arrow key that scrolls sends no super like').toContainText(`${name},`);
  await expect(announcement).toBeEmpty();
  await page.keyboard.press('ArrowLeft');
  await expect(announcement).toContainText(`Passed on ${name}. Next: `);
  await page.keyboard.press('z');
  await expect(announcement).toHaveText(`${name} is back.`);
  await expect(card).toContainText(`${name},`);

  const about = page.getByRole('button', { name: `More about ${name}` });
  await about.focus();
  await page.keyboard.press('Enter');
  const panel = page.getByRole('dialog', { name: `More About ${name}` });
  await panel.getByRole('button', { name: 'Voice' }).focus();
  await page.keyboard.press('Space');
  await expect(panel.getByRole('button', { name: 'Voice' })).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('z');
  await page.keyboard.press('s');
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await expect(about).toBeFocused();
  await expect(card, 'a key in the panel is ignored').toContainText(`${name},`);

  // The card is removed together with the button that had the focus.
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('group', { name: 'Matches for you' })).toBeFocused();
  await page.keyboard.press('z');
  await expect(card).toContainText(`${name},`);
});
