import type { Page } from '@playwright/test';
import {
  ageCodes,
  codeFor,
  join,
  nextCode,
  recordCloseCodes,
  signInOn,
  waitForServiceWorker,
  withWorker,
} from './support/phones.ts';
import { expect, test } from './support/test.ts';

const validPassword = 'slow mornings, long letters';

async function openSettings(page: Page): Promise<void> {
  await page.goto('/profile');
  await page.getByRole('tab', { name: 'Settings' }).click();
}

async function signInWith(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
}

test('a mailed code signs in on the Sign In tab of the sign-up screen', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const owner = await join(phoneB, server, 'Olga Owner');
  await ageCodes(server, owner.email);
  const signUpCode = await codeFor(server, owner.email);
  const page = await phoneA.newPage();
  await page.goto('/signup');
  await page.getByRole('tab', { name: 'Sign In' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  await page.getByLabel('Email').fill('olga');
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByText('Please enter a valid email address')).toBeVisible();
  await page.getByLabel('Email').fill(owner.email);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.getByLabel('Your code').fill(await nextCode(server, owner.email, signUpCode));
  await expect(page).toHaveURL(/\/discover$/);
  await expect(page.getByText('You have been signed in successfully.')).toBeVisible();
});

test('the login screen mails a code, and waits for it after a reload', async ({ phoneA, phoneB, server }) => {
  const owner = await join(phoneB, server, 'Lena Login');
  await ageCodes(server, owner.email);
  const signUpCode = await codeFor(server, owner.email);
  const page = await phoneA.newPage();
  await page.goto('/login?next=%2Fmatches');
  await page.getByRole('button', { name: 'Email me a code' }).click();
  await expect(page.getByText('Please enter a valid email address')).toBeVisible();
  await expect(page.getByText('Please enter your password')).toBeHidden();
  await page.getByLabel('Email').fill(owner.email);
  await page.getByLabel('Email').press('Enter');
  const code = await nextCode(server, owner.email, signUpCode);
  await expect(page.getByLabel('Your code')).toBeVisible();
  await page.reload();
  await page.getByLabel('Your code').fill(code);
  await expect(page).toHaveURL(/\/matches$/);
});

test('a password set in Settings signs in, a wrong one does not, and signing in leads to the page asked for', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const owner = await join(phoneB, server, 'Paul Password');
  const home = await phoneB.newPage();
  await openSettings(home);
  await home.getByLabel('New password').fill('short');
  await home.getByRole('button', { name: 'Set password' }).click();
  await expect(home.getByText('Please use at least 8 characters')).toBeVisible();
  await home.getByLabel('New password').fill(validPassword);
  await home.getByRole('button', { name: 'Set password' }).click();
  await expect(home.getByText('Password saved')).toBeVisible();
  await expect(home.getByRole('button', { name: 'Change password' })).toBeVisible();

  const page = await phoneA.newPage();
  await page.goto('/matches?from=mail');
  await expect(page).toHaveURL(/\/login\?next=%2Fmatches%3Ffrom%3Dmail$/);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByText('Please enter a valid email address')).toBeVisible();
  await expect(page.getByText('Please enter your password')).toBeVisible();
  for (const address of [owner.email, 'nobody@example.test']) {
    await signInWith(page, address, 'not the password');
    await expect(page.getByRole('alert').filter({ hasText: 'Login failed' })).toContainText(
      'Invalid credentials. Please try again.',
    );
    await page.getByRole('button', { name: 'Dismiss' }).click();
  }
  await signInWith(page, owner.email, validPassword);
  await expect(page).toHaveURL(/\/matches\?from=mail$/);
  await expect(page.getByText("You've successfully logged in.")).toBeVisible();
});

test('what the app requests before the response with the next token arrives does not sign the member out', async ({
  phoneA,
  server,
}) => {
  await join(phoneA, server, 'Lara Late');
  const page = await phoneA.newPage();
  await openSettings(page);
  await page.route('**/api/auth/password', async (route) => {
    await expect(page.getByRole('button', { name: 'Set password' })).toBeFocused();
    const cookies = await phoneA.cookies();
    const response = await route.fetch();
    // The browser does not have the next token yet, and the app asks who is signed in because it is online again.
    await phoneA.addCookies(cookies);
    const session = page.waitForResponse('**/api/auth/session');
    await page.evaluate(() => {
      dispatchEvent(new Event('offline'));
      dispatchEvent(new Event('online'));
    });
    await (await session).finished();
    await route.fulfill({ response });
  });
  await page.getByLabel('New password').fill(validPassword);
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(page.getByText('Password saved')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Change password' })).toBeVisible();
});

test('a password is set only after a code when the sign-in was a while ago', async ({ phoneA, server }) => {
  const owner = await join(phoneA, server, 'Stella Step');
  await server.query("UPDATE sessions SET proved_at = now() - interval '20 minutes' WHERE user_id = $1", [
    owner.id,
  ]);
  await ageCodes(server, owner.email);
  const signUpCode = await codeFor(server, owner.email);
  const page = await phoneA.newPage();
  await openSettings(page);
  await page.getByLabel('New password').fill(validPassword);
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(page.getByRole('heading', { name: 'Is it you?' })).toBeVisible();
  await page.getByRole('button', { name: 'Email me a code' }).click();
  await page.getByLabel('Code from your email').fill(await nextCode(server, owner.email, signUpCode));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Password saved')).toBeVisible();
});

test.describe('with a service worker', () => {
  test.use(withWorker);
  test('the address /api/login opens the app, and /api/logout signs out', async ({ phoneA, server }) => {
    const page = await phoneA.newPage();
    await page.goto('/login'); // the landing page has no worker
    await waitForServiceWorker(page);
    await page.goto('/api/login');
    await expect(page).toHaveURL(/\/signup$/);
    const member = await join(phoneA, server, 'Lola Login');
    await page.goto('/api/login');
    await expect(page).toHaveURL(`${server.url}/`);
    await expect(page.getByRole('heading', { name: 'For You' })).toBeVisible();
    const databases = () => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
    await expect.poll(databases).toContain(`heartward-${member.id}`);
    // Not by goto, which fails when the app itself leaves for the landing page first.
    await page.evaluate(() => location.assign('/api/logout'));
    await expect(page).toHaveURL(`${server.url}/`);
    await expect(page.getByRole('link', { name: 'Start Your Love Story Free' })).toBeVisible();
    expect((await phoneA.request.get('/api/auth/user')).status()).toBe(401);
    await expect.poll(databases).not.toContain(`heartward-${member.id}`);

    // As a late response does that arrives after everything was deleted.
    await page.evaluate(
      (name) =>
        new Promise((resolve, reject) => {
          const request = indexedDB.open(name);
          request.onerror = reject;
          request.onsuccess = () => resolve(request.result.close());
        }),
      `heartward-${member.id}`,
    );
    await page.goto('/');
    await expect.poll(databases).not.toContain(`heartward-${member.id}`);
  });
});

test('signing out another phone ends its session at once', async ({ phoneA, phoneB, server }) => {
  const member = await join(phoneA, server, 'Tara Two');
  const codes = await recordCloseCodes(phoneB);
  await signInOn(phoneB, server, member);
  const revokedPage = await phoneB.newPage();
  await revokedPage.goto('/messages');
  await expect(revokedPage.getByText('No conversations yet')).toBeVisible();
  await expect
    .poll(() => server.query('SELECT FROM presence WHERE user_id = $1', [member.id]))
    .toHaveLength(1);

  const page = await phoneA.newPage();
  await openSettings(page);
  await expect(page.getByText('This device', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Sign out this device' }).click();
  await expect(page.getByText('Signed out', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign out this device' })).toHaveCount(0);

  await expect(revokedPage).toHaveURL(/\/login\?next=%2Fmessages$/);
  await expect.poll(() => codes).toEqual([4001]);
  expect((await phoneB.request.get('/api/auth/user')).status()).toBe(401);
  await expect.poll(() => revokedPage.evaluate(() => localStorage.getItem('hw.member'))).toBeNull();
});
