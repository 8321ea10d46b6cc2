import { readFileSync } from 'node:fs';
import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test';
import { signInAsDemo, test } from './support/demo.ts';
import { newPhone } from './support/phones.ts';

type Row = {
  path: string;
  /** Who sees the texts. A member's route sends visitors to the sign-in screen. */
  who: 'everyone' | 'member' | 'visitor';
  /** The address after a redirect. */
  lands?: string;
  /** Texts of the specification, word for word. */
  texts: string[];
  /** A screen of a computer. */
  wide?: true;
};

const rows = JSON.parse(readFileSync(new URL('spec-routes.json', import.meta.url), 'utf8')) as Row[];

/** Asserts that the page has a title of its own, one first heading, and each text, visible or as the name of a control. */
async function expectTexts(page: Page, { path, lands, texts }: Row): Promise<void> {
  await expect(page.locator('h1').first(), path).toBeAttached();
  expect.soft(await page.title(), path).toMatch(/^\S.* · Heartward$/);
  for (const text of texts) {
    const found = page
      .getByText(text)
      .or(page.getByLabel(text))
      .or(page.getByRole('button', { name: text }))
      .or(page.getByRole('link', { name: text }));
    await expect.soft(found.filter({ visible: true }).first(), `${path}: ${text}`).toBeVisible();
  }
  if (lands) expect.soft(new URL(page.url()).pathname).toBe(lands);
}

async function openPage(phone: BrowserContext, row: Row): Promise<Page> {
  const page = await phone.newPage();
  if (row.wide) await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(row.path);
  return page;
}

test('a visitor reads the texts of the public routes, and is sent from the others to sign in and back', async ({
  browser,
  server,
}) => {
  test.slow();
  const phone = await newPhone(browser, server.url);
  // At / visitors get the landing page (site.spec.ts), also from /home.
  for (const row of rows.filter(({ path }) => path !== '/' && path !== '/home')) {
    const page = await openPage(phone, row);
    if (row.who !== 'member') {
      await expectTexts(page, row);
    } else if (!rows.some(({ who, path }) => who === 'visitor' && path === row.path)) {
      await page.waitForURL(/\/login/);
      expect.soft(new URL(page.url()).searchParams.get('next'), row.path).toBe(row.path);
    }
    await page.close();
  }
  await phone.close();
});

test('a member reads the texts of all routes', async ({ browser, server }) => {
  test.slow();
  const phone = await newPhone(browser, server.url);
  await signInAsDemo(phone);
  for (const row of rows) {
    const isSignIn = ['/signup', '/login', '/admin/login'].includes(row.path);
    if (row.who === 'visitor' || isSignIn) continue;
    const page = await openPage(phone, row);
    await expectTexts(page, row);
    await page.close();
  }
  const page = await phone.newPage();
  await page.goto('/admin/login');
  await expect(page.getByText("which isn't an admin's account")).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign Out' })).toBeVisible();
  await phone.close();
});

/** Clicks a link of the app and asserts that the focus is on the heading of its page. Returns the title of the page. */
async function follow(page: Page, link: Locator): Promise<string> {
  const name = (await link.textContent()) ?? '';
  await link.click();
  await expect(page.getByRole('heading', { level: 1 }), name).toBeFocused();
  await expect(page, name).toHaveTitle(/^\S.* · Heartward$/);
  return page.title();
}

test('each place that navigation and profile lead to has a title of its own, and takes the focus to its heading', async ({
  browser,
  server,
}) => {
  test.slow();
  const phone = await newPhone(browser, server.url);
  await signInAsDemo(phone);
  const page = await phone.newPage();
  await page.goto('/');
  const titles = new Map<string, string>();
  const add = (title: string) => titles.set(new URL(page.url()).pathname, title);
  for (const name of ['Discover', 'Matches', 'Messages', 'Profile', 'For You'])
    add(await follow(page, page.getByRole('navigation').getByRole('link', { name })));
  await page.goto('/profile?tab=settings');
  // The link to the mail settings takes the focus to them.
  const rows = page.locator('main li a[href^="/"]:not([href*="#"])').filter({ visible: true });
  await expect(rows.filter({ hasText: 'Open' }).first()).toBeVisible();
  const hrefs = await rows.evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  expect(hrefs.length).toBeGreaterThan(8);
  for (const href of hrefs) {
    add(await follow(page, page.locator(`main li a[href="${href}"]`).filter({ visible: true }).first()));
    await page.goBack();
  }
  expect(titles.size).toBeGreaterThan(12);
  expect(new Set(titles.values()).size, [...titles.values()].join(', ')).toBe(titles.size);

  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/');
  const top = page.getByRole('navigation').filter({ visible: true });
  for (const name of ['For You', 'Discover', 'Matches', 'Messages', 'Profile'])
    await expect(top.getByRole('link', { name }).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign Out' })).toBeVisible();
  await phone.close();
});

test('a member tries the demos: a text gets its ticks and an answer, a lost connection is shown', async ({
  browser,
  server,
}) => {
  const phone = await newPhone(browser, server.url);
  await signInAsDemo(phone);
  const page = await phone.newPage();
  await page.goto('/profile?tab=settings');
  await page.getByRole('link', { name: 'Open: Demos' }).click();
  await expect(page).toHaveURL('/demo');
  await page.getByRole('link', { name: /^Messaging/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await page.getByRole('button', { name: /Maya/ }).click();
  const field = page.getByRole('textbox', { name: 'Message to Maya' });
  await expect(page.getByRole('status').filter({ hasText: /^Connected$/ })).toBeVisible();
  await field.fill('Hello');
  await field.press('Enter');
  await expect(page.locator('[data-tick]')).toHaveAttribute('data-tick', 'sent');
  await expect(page.locator('[data-tick]')).toHaveAttribute('data-tick', 'delivered');
  await expect(page.locator('[data-tick]')).toHaveAttribute('data-tick', 'read');
  await expect(page.getByText('That made my day.')).toBeVisible();
  await page.getByRole('button', { name: 'Lose the connection' }).click();
  await expect(page.getByText(/^Connection lost\./)).toBeVisible();
  await expect(field).toBeDisabled();
  await page.getByRole('button', { name: 'Reconnect' }).click();
  await expect(field).toBeEnabled();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Demos' })).toBeVisible();
  await phone.close();
});

test('a visitor without JavaScript looks up a town', async ({ browser, server }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: server.url });
  const page = await context.newPage();
  await page.goto('/near');
  await page.getByRole('textbox', { name: /Your town/ }).fill('Portland');
  await page.getByRole('button', { name: 'Look' }).click();
  await page.getByRole('link', { name: 'Portland, Oregon' }).click();
  await expect(page.getByText(/within 50 miles/)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Join Heartward' })).toHaveAttribute('href', '/signup');
  await context.close();
});
