/** The member's sessions. */
import { codeFor, join, newPhone, signInOn } from './support/phones.ts';
import { expect, test } from './support/test.ts';

test('a member signs out everywhere else, after confirming with a mailed code', async ({
  phoneA,
  phoneB,
  server,
  browser,
}) => {
  const ann = await join(phoneA, server, 'Ann Everywhere');
  const tablet = await newPhone(browser, server.url);
  await signInOn(phoneB, server, ann);
  await signInOn(tablet, server, ann);
  const otherPage = await phoneB.newPage();
  await otherPage.goto('/settings?tab=appearance');
  await expect(otherPage.getByRole('button', { name: 'Taco With extra cheddar' })).toBeVisible();
  await server.query(`UPDATE sessions SET proved_at = now() - interval '11 minutes' WHERE user_id = $1`, [
    ann.id,
  ]);

  const page = await phoneA.newPage();
  await page.goto('/profile?tab=settings');
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  const dialog = page.getByRole('dialog', { name: 'Is it you?' });
  await page.screenshot({ path: test.info().outputPath('proof.png') });
  await dialog.getByRole('button', { name: 'Email me a code' }).click();
  await dialog.getByLabel('Code from your email').fill('00000000');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog.getByText('This is not right. Please check it.')).toBeVisible();
  await page.screenshot({ path: test.info().outputPath('code.png') });
  await dialog.getByLabel('Code from your email').fill(await codeFor(server, ann.email));
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('2 devices')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Sign out this device/ })).toHaveCount(0);
  await expect(otherPage.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  expect((await tablet.request.get('/api/auth/user')).status()).toBe(401);
  expect((await phoneA.request.get('/api/auth/user')).status()).toBe(200);
  await tablet.close();
});
