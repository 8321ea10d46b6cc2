import { expect, signInAsDemo, test } from './support/demo.ts';

test("on a phone the header leads to the account's name, the settings and Sign Out", async ({ phoneA }) => {
  await signInAsDemo(phoneA);
  const page = await phoneA.newPage();
  await page.goto('/matches');
  await page.getByRole('button', { name: 'Settings and account' }).click();
  const sheet = page.getByRole('dialog', { name: 'Your account' });
  const { fullName } = (await (await phoneA.request.get('/api/auth/user')).json()) as { fullName: string };
  await expect(sheet.getByText(fullName)).toBeVisible();
  await sheet.getByRole('link', { name: 'Settings' }).click();
  await expect(page).toHaveURL(/\/settings/);
  await expect(sheet).toBeHidden();
  await page.goBack();
  await page.getByRole('button', { name: 'Settings and account' }).click();
  await sheet.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page.getByRole('heading', { name: 'The door is open.' })).toBeVisible();
});

test('in landscape a phone with a notch keeps all content beside it', async ({ phoneA }) => {
  await signInAsDemo(phoneA);
  const page = await phoneA.newPage();
  await page.setViewportSize({ width: 844, height: 390 });
  const session = await phoneA.newCDPSession(page);
  await session.send('Emulation.setSafeAreaInsetsOverride', { insets: { left: 59, right: 59 } });
  for (const path of ['/', '/discover', '/messages', '/profile']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    await expect(page.getByRole('main')).toBeVisible();
    const bar = page.getByRole('navigation', { name: 'Main' }).filter({ visible: true }).locator('..');
    await expect(bar).toHaveCSS('padding-left', '59px');
    const underNotch = await page.evaluate(() =>
      [...document.querySelectorAll('a, button, input, h1, h2')]
        .filter((one) => one.checkVisibility() && !one.closest('.sr-only') && !one.matches('.sr-only'))
        .map(
          (one) =>
            [one.textContent, one.getBoundingClientRect().left, one.getBoundingClientRect().right] as const,
        )
        .filter(
          ([, left, right]) =>
            right > 0 && left < innerWidth && (left < 59 - 12 || right > innerWidth - 59 + 12),
        ),
    );
    expect.soft(underNotch, path).toEqual([]);
  }
});
