import { join } from './support/phones.ts';
import { expect, test } from './support/test.ts';

test('settings tabs work by keyboard and by address, and the theme is remembered', async ({
  phoneA,
  server,
}) => {
  await join(phoneA, server, 'Ann Settings');
  const page = await phoneA.newPage();
  await page.goto('/settings');
  await expect(page.getByRole('tab', { name: 'Notifications' })).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('tab', { name: 'Notifications' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Appearance' })).toHaveAttribute('aria-selected', 'true');
  await expect(page).toHaveURL(/tab=appearance$/);

  const html = page.locator('html');
  await expect(html).toHaveAttribute('data-theme', 'light');
  for (const next of ['dark', 'taco', 'light', 'dark']) {
    await page.getByRole('button', { name: `Switch to ${next}` }).click();
    await expect(html).toHaveAttribute('data-theme', next);
    await expect(page.getByText('Settings saved')).toBeVisible();
  }
  await page.getByRole('button', { name: 'Taco With extra cheddar' }).click();
  await expect(html).toHaveAttribute('data-theme', 'taco');
  await page.reload();
  await expect(html).toHaveAttribute('data-theme', 'taco');
  await expect(page.getByRole('button', { name: 'Taco With extra cheddar' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );

  await page.getByRole('link', { name: 'Back' }).click();
  await expect(page).toHaveURL('/');

  await page.goto('/profile?tab=settings');
  await page.getByRole('link', { name: 'Change: Appearance' }).click();
  await expect(page).toHaveURL(/tab=appearance$/);
  await page.goto('/profile?tab=settings');
  await page.getByRole('button', { name: 'Sign Out' }).last().click();
  await expect(page.getByRole('link', { name: 'Start Your Love Story Free' })).toBeVisible();
  await expect(html, 'the theme belongs to the device').toHaveAttribute('data-theme', 'taco');
});

test("the first visit follows the device's theme, also when it changes", async ({ phoneA }) => {
  const page = await phoneA.newPage();
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
});
