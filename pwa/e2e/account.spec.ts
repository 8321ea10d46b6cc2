/** The member's sessions. */
import { codeFor, join, newEmail, newPhone, signInOn } from './support/phones.ts';
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

test('a member ends a sign-in in a new browser by the link in the mail about it', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Noticed');
  await signInOn(phoneB, server, ann);
  const { text } = await server.mail(ann.email, 'new sign-in');
  // The path only: the server's public address has another host than the tests' pages, and so other cookies.
  const link = /\/not-me#\S+/.exec(text)?.[0] ?? '';

  const page = await phoneA.newPage();
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Was this not you?' })).toBeVisible();
  await page.screenshot({ path: test.info().outputPath('ask.png') });
  expect((await phoneB.request.get('/api/auth/user')).status(), 'opening the link changes nothing').toBe(200);
  await page.getByRole('button', { name: 'Sign it out' }).click();
  await expect(page.getByRole('heading', { name: 'That device is signed out' })).toBeVisible();
  await expect(page.getByText('Your other devices stay signed in.')).toBeVisible();
  await page.screenshot({ path: test.info().outputPath('ended.png') });
  expect((await phoneB.request.get('/api/auth/user')).status()).toBe(401);
  expect((await phoneA.request.get('/api/auth/user')).status()).toBe(200);
  await page.getByRole('link', { name: 'Go to your settings' }).click();
  await expect(page.getByRole('heading', { name: 'Your devices' })).toBeVisible();

  const second = await phoneA.newPage();
  await second.goto(link);
  await second.getByRole('button', { name: 'Sign it out' }).click();
  await expect(second.getByRole('heading', { name: 'This link has ended' })).toBeVisible();
});

test('a member changes the email address with the codes from both mailboxes, and the earlier one undoes it', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Moved');
  const fresh = newEmail('Ann Moved Again');
  const page = await phoneA.newPage();
  await page.goto('/profile?tab=settings');
  await page.getByLabel('New email address').fill(fresh);
  await page.getByRole('button', { name: 'Change email address' }).click();
  await expect(page.getByLabel('Code from your new address')).toBeVisible();
  await page.reload();
  const code = async (email: string, subject: string) =>
    /\b\d{8}\b/.exec((await server.mail(email, subject)).text)?.[0] ?? '';
  await page.getByLabel('Code from your new address').fill(await code(fresh, 'Confirm your email address'));
  await page.getByRole('button', { name: 'Confirm' }).first().click();
  await expect(page.getByText(`${fresh} is confirmed.`)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Change it in seven days' })).toBeVisible();
  await page.screenshot({ path: test.info().outputPath('confirmed.png'), fullPage: true });
  await page
    .getByLabel('Code from your current address')
    .fill(await code(ann.email, 'Someone wants to change'));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText(`You sign in with ${fresh}`)).toBeVisible();
  await page.screenshot({ path: test.info().outputPath('changed.png') });

  const { text } = await server.mail(ann.email, 'address has changed');
  const other = await phoneB.newPage();
  await other.goto(/\/not-me#\S+/.exec(text)?.[0] ?? '');
  await expect(other.getByRole('heading', { name: 'Was this not you?' })).toBeVisible();
  const user = () => phoneA.request.get('/api/auth/user');
  expect((await (await user()).json()).email, 'opening the link changes nothing').toBe(fresh);
  await other.getByRole('button', { name: 'Sign it out' }).click();
  await expect(other.getByRole('heading', { name: 'Your email address is back' })).toBeVisible();
  await other.screenshot({ path: test.info().outputPath('back.png') });
  expect((await user()).status()).toBe(401);
  await server.mail(fresh, 'address has changed back');
  await signInOn(phoneB, server, ann);
});
