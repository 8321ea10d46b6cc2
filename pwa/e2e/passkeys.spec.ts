/** Passkeys of members, and the second factor of admins, with Chromium's virtual authenticator. */
import { createHmac } from 'node:crypto';
import type { BrowserContext, Page } from '@playwright/test';
import { expectAccessibleInEveryTheme } from './support/axe.ts';
import { codeFor, join, newPhone } from './support/phones.ts';
import { Server } from './support/server.ts';
import { expect, test } from './support/test.ts';

/** The address at which browsers have passkeys: they have none at an IP address. */
const siteOf = (server: Server) => `http://localhost:${server.port}`;

/** Leaves the page before its session ends: once the app finds it gone, it opens its first page by itself. */
async function endSession(page: Page): Promise<void> {
  await page.goto('about:blank');
  await page.context().clearCookies({ name: 'sid' });
}

type Authenticator = { setPresent(enabled: boolean): Promise<void>; countCredentials(): Promise<number> };

/**
 * Adds an authenticator with verification of the user to a page. It responds at once, so by default the address field
 * offers none.
 */
async function addAuthenticator(page: Page, { inField = false } = {}): Promise<Authenticator> {
  if (!inField)
    await page.addInitScript(() => {
      PublicKeyCredential.isConditionalMediationAvailable = async () => false;
    });
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    setPresent: async (enabled) => {
      await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
    },
    countCredentials: async () =>
      (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
  };
}

/** Screenshots a page in the light and the dark theme. */
async function picture(page: Page, name: string) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: test.info().outputPath(`${name}-${colorScheme}.png`), fullPage: true });
  }
}

async function enterCode(page: Page, server: Server, email: string) {
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByRole('button', { name: 'Email me a code' }).click();
  await expect(page.getByLabel('Your code')).toBeVisible(); // the mail is sent
  await page.getByLabel('Your code').fill(await codeFor(server, email));
}

/** Returns the current code of an authenticator app (RFC 6238). */
function appCode(key: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...key].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const mac = createHmac('sha1', secret).update(step).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0');
}

test('a member adds a passkey, signs in with it, confirms a change with it and removes it', async ({
  browser,
  server,
}) => {
  const phone = await newPhone(browser, siteOf(server));
  const ann = await join(phone, server, 'Ann Passkey');
  const page = await phone.newPage();
  const authenticator = await addAuthenticator(page);
  await page.goto('/profile?tab=settings');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByText('Passkey added')).toBeVisible();
  await page.getByRole('button', { name: /^Rename / }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Blue phone');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Blue phone')).toBeVisible();
  await picture(page, 'settings');

  await endSession(page);
  await page.goto('/login');
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeVisible();
  await picture(page, 'login');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByText('Welcome back!')).toBeVisible();
  expect((await (await phone.request.get('/api/auth/user')).json()).id).toBe(ann.id);

  await server.query(`UPDATE sessions SET proved_at = now() - interval '11 minutes' WHERE user_id = $1`, [
    ann.id,
  ]);
  await page.goto('/profile?tab=settings');
  await page.getByRole('button', { name: 'Remove Blue phone' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  const proof = page.getByRole('dialog', { name: 'Is it you?' });
  await expect(proof.getByRole('button', { name: 'Email me a code instead' })).toBeVisible();
  await picture(page, 'proof');
  await proof.getByRole('button', { name: 'Use your passkey' }).click();
  await expect(page.getByText('Passkey removed')).toBeVisible();
  await expect(page.getByText('Blue phone')).toHaveCount(0);
  await expect.poll(authenticator.countCredentials, 'the browser tells the authenticator').toBe(0);
  await phone.close();
});

test('a passkey in the address field signs in, and not after the sign-in was left', async ({
  browser,
  server,
}) => {
  const phone = await newPhone(browser, siteOf(server));
  const ann = await join(phone, server, 'Ann Field');
  const page = await phone.newPage();
  const authenticator = await addAuthenticator(page, { inField: true });
  await page.goto('/profile?tab=settings');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByText('Passkey added')).toBeVisible();

  await endSession(page);
  await authenticator.setPresent(false);
  const asked = page.waitForResponse('**/api/auth/login/challenge');
  await page.goto('/login');
  await asked;
  const answers: string[] = [];
  page.on('request', (request) => answers.push(new URL(request.url()).pathname));
  await page.getByRole('link', { name: /Sign up here/ }).click();
  await expect(page).toHaveURL(/\/signup$/);
  await authenticator.setPresent(true);
  await expect(page.getByLabel('Email', { exact: true })).toBeVisible();
  expect(answers).not.toContain('/api/auth/login/passkey');

  await page.goto('/login');
  await expect(page.getByText('Welcome back!')).toBeVisible();
  expect((await (await phone.request.get('/api/auth/user')).json()).id).toBe(ann.id);
  await phone.close();
});

test.describe('on a public site', () => {
  let publicServer: Server;
  let desktop: BrowserContext;
  test.beforeEach(async ({ browser }) => {
    publicServer = await Server.launch({ HOST: '0.0.0.0', DEV_MAILBOX: 'on' });
    desktop = await browser.newContext({
      baseURL: siteOf(publicServer),
      viewport: { width: 1440, height: 900 },
    });
  });
  test.afterEach(async () => {
    await desktop.close();
    await publicServer.remove();
  });

  test('an admin sets up a passkey with the setup code, and signs in with it', async () => {
    const ada = await join(desktop, publicServer, 'Ada Aiken');
    await desktop.clearCookies();
    const printed = publicServer.run('admin', 'grant', ada.email);
    const setupCode = /: ((?:\w{5}-)+\w)\n/.exec(printed)?.[1] ?? '';
    const page = await desktop.newPage();
    await addAuthenticator(page);

    await page.goto('/admin/login');
    await picture(page, 'address');
    await enterCode(page, publicServer, ada.email);
    await expect(page.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible();
    await picture(page, 'setup');
    expect((await desktop.request.get('/api/admin/reports')).status()).toBe(403);
    await page.getByLabel('Setup code').fill('AAAAA-AAAAA');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await expect(page.getByText('This setup code is wrong or has expired.')).toBeVisible();
    await page.getByLabel('Setup code').fill(setupCode);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await expect(page.getByText('Admin Login Successful')).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Admin' })).toBeVisible();
    expect((await desktop.request.get('/api/admin/reports')).status()).toBe(200);

    await endSession(page);
    await page.goto('/admin/login');
    await enterCode(page, publicServer, ada.email);
    await expect(page.getByText('One more step: confirm that it is you.')).toBeVisible();
    await picture(page, 'factor');
    await page.goto('/admin/dashboard');
    await page.getByRole('button', { name: 'Use your passkey' }).click();
    await expect(page.getByRole('navigation', { name: 'Admin' })).toBeVisible();
  });

  test('an admin makes recovery codes, and signs in with one of them without the passkey', async () => {
    const ada = await join(desktop, publicServer, 'Ada Recovery');
    await desktop.clearCookies();
    const setupCode = /: ((?:\w{5}-)+\w)\n/.exec(publicServer.run('admin', 'grant', ada.email))?.[1] ?? '';
    const page = await desktop.newPage();
    await addAuthenticator(page);
    await page.goto('/admin/login');
    await enterCode(page, publicServer, ada.email);
    await page.getByLabel('Setup code').fill(setupCode);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await expect(page.getByRole('navigation', { name: 'Admin' })).toBeVisible();

    await page.goto('/profile?tab=settings');
    await page.getByRole('button', { name: 'Make recovery codes' }).click();
    const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
    await expect(codes).toHaveCount(10);
    await expectAccessibleInEveryTheme(page, 'recovery codes');
    await picture(page, 'recovery-codes');
    const [first = '', second = ''] = await codes.allTextContents();
    await page.getByRole('button', { name: 'I have written them down' }).click();
    await expect(page.getByText(first)).toHaveCount(0);
    await expect(page.getByText('You have 10 of 10 left.')).toBeVisible();

    await endSession(page);
    await page.goto('/admin/login');
    await enterCode(page, publicServer, ada.email);
    await page.getByRole('button', { name: 'Use a recovery code instead' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByText('Please enter a recovery code.')).toBeVisible();
    await page.getByLabel('Recovery code').fill('AAAAA-AAAAA');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(
      page.getByText('This recovery code is wrong, or it was used already.').first(),
    ).toBeVisible();
    await expectAccessibleInEveryTheme(page, 'recovery');
    await picture(page, 'recovery');
    await page.getByLabel('Recovery code').fill(second.toLowerCase());
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByText('Admin Login Successful')).toBeVisible();
    expect((await desktop.request.get('/api/admin/reports')).status()).toBe(200);
    expect((await publicServer.mail(ada.email, 'A recovery code')).text).toContain('signs out all devices');
    await page.goto('/profile?tab=settings');
    await expect(page.getByText('You have 9 of 10 left.')).toBeVisible();
  });

  test('an admin sets up an authenticator app, on a phone', async ({ browser }) => {
    const phone = await newPhone(browser, siteOf(publicServer));
    const ada = await join(phone, publicServer, 'Ada App');
    const setupCode = /: ((?:\w{5}-)+\w)\n/.exec(publicServer.run('admin', 'grant', ada.email))?.[1] ?? '';
    const page = await phone.newPage();
    await page.goto('/admin/login');
    await enterCode(page, publicServer, ada.email); // the grant has ended the session
    await page.getByLabel('Setup code').fill(setupCode);
    await page.getByRole('button', { name: 'Use an authenticator app' }).click();
    await expect(page.getByRole('img', { name: 'QR code of the key below' })).toBeVisible();
    await picture(page, 'app');
    await page.getByLabel('Code from the app').fill('000');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByText('The code has six digits.')).toBeVisible();
    const key = (await page.getByText(/^([A-Z2-7]{4} )+[A-Z2-7]{4}$/).textContent()) ?? '';
    await page.getByLabel('Code from the app').fill(appCode(key.replaceAll(' ', '')));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByText('Admin Login Successful')).toBeVisible();
    expect((await phone.request.get('/api/admin/reports')).status()).toBe(200);
    await phone.close();
  });
});
