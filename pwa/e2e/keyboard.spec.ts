import type { Page } from '@playwright/test';
import { finishAnimations } from './support/animations.ts';
import { expect, signInAsDemo, test } from './support/demo.ts';

/** Marks the controls that Tab should reach (visible, enabled, not behind a dialog) and returns their number. */
async function markControls(page: Page): Promise<number> {
  return page.evaluate(() => {
    const controls = document.querySelectorAll<HTMLElement>(
      // Of a group of radio buttons Tab reaches the chosen one.
      'a[href], button:enabled, input:enabled:not([type=radio]:not(:checked)), textarea:enabled, select:enabled, [tabindex="0"]',
    );
    const reachable = [...controls].filter(
      (control) =>
        control.checkVisibility() &&
        control.tabIndex >= 0 &&
        // Of a group of radio buttons, none of them chosen, Tab reaches the first.
        !control.matches('label:has([type=radio]) ~ label *') &&
        !control.closest('[inert]') &&
        // The thread draws and removes messages as the focus moves, so their controls cannot be counted beforehand.
        !control.closest('[data-client-id]'),
    );
    reachable.forEach((control, index) => {
      control.dataset.control = String(index);
    });
    return reachable.length;
  });
}

/** Presses Tab until every control was reached; returns each focused control with its name and focus style. */
async function tabThrough(page: Page, controls: number) {
  const focusedControls: { control: string | null; name: string; outlined: boolean }[] = [];
  const reachedControls = new Set<string>();
  for (let step = 0; step < 3 * controls + 60 && reachedControls.size < controls; step += 1) {
    await page.keyboard.press('Tab');
    await finishAnimations(page);
    const focused = page.locator(':focus');
    if ((await focused.count()) === 0) continue;
    const state = await focused.evaluate((element) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return {
        // Controls that the scrolling thread drew meanwhile were not counted.
        control: (element as HTMLElement).dataset.control ?? null,
        outlined: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2,
      };
    });
    if (state.control !== null) reachedControls.add(state.control);
    focusedControls.push({ ...state, name: /"([^"]+)"/.exec(await focused.ariaSnapshot())?.[1] ?? '' });
  }
  return focusedControls;
}

for (const [name, path, ready] of [
  ['For You', () => '/', (page: Page) => page.getByTestId('top-card').getByRole('img').first()],
  [
    'a conversation',
    (id: string) => `/messages/${id}`,
    (page: Page) => page.getByTestId('bubble-text').first(),
  ],
  ['the Love Pulse', () => '/love-pulse', (page: Page) => page.getByText('A year ago today')],
  ['graduation', () => '/graduation', (page: Page) => page.getByRole('combobox')],
  [
    'the Legacy Wall',
    () => '/legacy-wall',
    (page: Page) => page.getByRole('link', { name: 'Graduate together' }),
  ],
  [
    'the moments',
    () => '/shareable-moments',
    (page: Page) => page.getByRole('img', { name: /^Picture:/ }).first(),
  ],
  [
    'the referrals',
    () => '/referrals',
    (page: Page) => page.getByRole('heading', { name: 'Recent Referrals' }),
  ],
  ['the perks', () => '/perks', (page: Page) => page.getByText(/^Thank you/)],
] as const) {
  for (const width of [390, 1280]) {
    test(`Tab reaches every control of ${name} at ${width}, each with a name and a visible focus`, async ({
      phoneA,
    }) => {
      const { conversation } = await signInAsDemo(phoneA);
      const page = await phoneA.newPage();
      await page.setViewportSize({ width, height: 844 });
      await page.goto(path(conversation));
      await expect(ready(page)).toBeVisible();
      await finishAnimations(page);
      const controls = await markControls(page);
      expect(controls).toBeGreaterThan(5);
      const focusedControls = await tabThrough(page, controls);
      const reachedControls = new Set(focusedControls.flatMap(({ control }) => control ?? []));
      expect(reachedControls.size).toBe(controls);
      expect(focusedControls.filter((one) => one.name === '')).toEqual([]);
      expect(focusedControls.filter((one) => !one.outlined)).toEqual([]);
    });
  }
}

test('a dialog traps the focus, closes with Escape and returns the focus', async ({ phoneA }) => {
  await signInAsDemo(phoneA);
  const page = await phoneA.newPage();
  await page.goto('/profile');
  const opener = page.getByRole('button', { name: 'Edit Profile' });
  await opener.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Edit Profile' });
  await expect(dialog).toBeVisible();
  for (let step = 0; step < 12; step += 1) {
    await page.keyboard.press('Tab');
    // Between the last and the first control the focus is in the browser's own controls.
    await expect(page.locator(':focus:not(body, dialog, dialog *)')).toHaveCount(0);
  }
  await dialog.getByRole('button', { name: 'Delete photo 1' }).click();
  const question = page.getByRole('dialog', { name: 'Delete this photo?' });
  await expect(question).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(dialog, 'Escape closes one at a time').toBeVisible();
  await page.locator('input[type=file]').dispatchEvent('cancel');
  await expect(dialog, 'cancelling the file picker does not close the dialog').toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
});

test('the skip link jumps over the navigation', async ({ phoneA }) => {
  await signInAsDemo(phoneA);
  const page = await phoneA.newPage();
  await page.setViewportSize({ width: 1280, height: 844 });
  await page.goto('/matches');
  await expect(page.getByRole('heading', { name: 'Your Matches' })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
});
