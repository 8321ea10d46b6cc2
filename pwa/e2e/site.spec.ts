/** The public pages, which the server renders: without JavaScript, in every theme and size, and beside the app. */
import type { Page } from '@playwright/test';
import serverPaths from '../server-paths.json' with { type: 'json' };
import { expectAccessibleInEveryTheme, findViolations } from './support/axe.ts';
import { expect, test } from './support/demo.ts';
import { newPhone, waitForServiceWorker, withWorker } from './support/phones.ts';

const pages = [
  { path: '/', title: /^Heartward · / },
  { path: '/welcome', title: /^Find Your Soul Connection · / },
  { path: '/near', title: /^Who is near you\? · / },
  { path: '/near?town=portland', title: /^Who is near you\? · / },
  { path: '/near?city=Portland&state=Oregon', title: /^People near Portland, Oregon · / },
  { path: '/about', title: /^About · / },
  { path: '/privacy', title: /^Privacy · / },
  { path: '/terms', title: /^Terms · / },
];

const overflow = (page: Page) =>
  page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - innerWidth));

/** In the page: whether the own profile is in the device's database. */
async function isMemberStored(): Promise<boolean> {
  const name = `heartward-${localStorage.getItem('hw.member')}`;
  if (!(await indexedDB.databases()).some((database) => database.name === name)) return false;
  return new Promise((resolve) => {
    const opening = indexedDB.open(name);
    opening.onerror = () => resolve(false);
    opening.onsuccess = () => {
      const db = opening.result;
      const count = db.transaction('me').objectStore('me').count();
      count.onsuccess = () => {
        db.close();
        resolve(count.result > 0);
      };
    };
  });
}

test('a visitor without JavaScript reads the public pages and reaches the sign-up', async ({
  browser,
  server,
}) => {
  const context = await browser.newContext({ baseURL: server.url, javaScriptEnabled: false });
  const page = await context.newPage();
  for (const { path, title } of pages) {
    await page.goto(path);
    await expect(page).toHaveTitle(title);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' })).toBeVisible();
    await expect(page.getByText('needs JavaScript')).toHaveCount(0);
  }
  await page.goto('/');
  await expect(page.getByText('They left together')).toBeVisible();
  await expect(page.getByText('Graduated 8 months ago · Sample')).toBeVisible();
  await expect(page.getByText('Graduated 1 year ago · Sample')).toBeVisible();
  await expect(page.getByText(/people are members/), 'demo members are not counted').toHaveCount(0);
  const answer = page.getByText('There is nothing to buy');
  await expect(answer).toBeHidden();
  await page.getByText('Is it really free?').click();
  await expect(answer).toBeVisible();
  await page.getByRole('link', { name: 'Start Your Love Story Free' }).click();
  await expect(page).toHaveURL('/signup');
  await context.close();
});

test('a visitor loads at most 60 kB of script for the landing page, and no script of the app', async ({
  browser,
  server,
}) => {
  const visitor = await newPhone(browser, server.url);
  const page = await visitor.newPage();
  const scripts: string[] = [];
  const failures: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname);
    else if (new URL(request.url()).pathname.startsWith('/api/auth')) failures.push(request.url());
  });
  page.on('response', (response) => {
    if (!response.ok()) failures.push(response.url());
  });
  page.on('console', (message) => {
    if (message.type() === 'error') failures.push(message.text());
  });
  await page.goto('/', { waitUntil: 'networkidle' });
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
  expect(scripts.map((name) => name.replace(/-[\w-]+\.js$/, '.js'))).toEqual([
    '/theme.js',
    '/assets/site.js',
  ]);
  expect(failures).toEqual([]);
  for (const screen of await page.locator('img.screen-light').all()) {
    await screen.scrollIntoViewIfNeeded();
    await expect
      .poll(() => screen.evaluate((image: HTMLImageElement) => image.naturalWidth / image.naturalHeight))
      .toBeCloseTo(480 / 960, 2);
  }
  await visitor.close();
});

test('the public pages fit every width, every theme and doubled text, and pass axe', async ({
  browser,
  server,
}) => {
  const context = await browser.newContext({ baseURL: server.url, reducedMotion: 'reduce' });
  const page = await context.newPage();
  for (const { path } of pages) {
    await page.goto(path);
    for (const width of [320, 390, 768, 1440]) {
      await page.setViewportSize({ width, height: width < 768 ? 844 : 1024 });
      expect(await overflow(page), `${path} at ${width}`).toBe(0);
      for (const theme of process.env.SHOTS ? ['light', 'dark', 'taco'] : []) {
        await page.evaluate((name) => {
          document.documentElement.dataset.theme = name;
        }, theme);
        for (const image of await page.locator('img:visible').all()) await image.scrollIntoViewIfNeeded();
        const name = path === '/' ? 'landing' : path.slice(1);
        await page.screenshot({ path: `${process.env.SHOTS}/${name}-${width}-${theme}.png`, fullPage: true });
      }
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate(() => {
      document.documentElement.dataset.theme = 'light';
    });
    expect(await findViolations(page), path).toEqual([]);
    await expectAccessibleInEveryTheme(page, path);
    await page.setViewportSize({ width: 640, height: 900 });
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
    });
    expect(await overflow(page), `${path} with doubled text`).toBe(0);
  }
  await context.close();
});

test('a visitor uses the landing page by keyboard', async ({ browser, server }) => {
  const visitor = await newPhone(browser, server.url);
  const page = await visitor.newPage();
  await page.goto('/');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the text' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Start Your Love Story Free' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/signup');
  await visitor.close();
});

test('with an active worker the server answers its own paths, and the app answers / for a member only', async ({
  browser,
  server,
}) => {
  const phone = await newPhone(browser, server.url, withWorker);
  const page = await phone.newPage();
  await page.goto('/signup');
  await waitForServiceWorker(page);
  const isShell = () => page.evaluate(() => document.querySelector('#root') !== null);
  for (const { path, title } of pages) {
    await page.goto(path);
    await expect(page).toHaveTitle(title);
    expect(await isShell(), path).toBe(false);
  }
  // Paths that are no pages would download something or open a socket.
  for (const path of serverPaths.filter(
    (one) => !['/api', '/dev', '/files', '/ws', '/metrics'].includes(one),
  )) {
    await page.goto(path === '/openapi' ? '/openapi.json' : path === '/sitemap' ? '/sitemap.xml' : path);
    expect(await isShell(), path).toBe(false);
  }

  const signIn = await phone.request.post('/api/auth/login', {
    data: { email: 'demo@heartward.test', password: 'heartward-demo' },
  });
  expect(signIn.status()).toBe(200);
  await page.goto('/');
  await expect(page.getByTestId('top-card').getByRole('img').first()).toBeVisible();
  await expect.poll(() => page.evaluate(() => caches.has('hw-member'))).toBe(true);
  await expect.poll(() => page.evaluate(isMemberStored)).toBe(true);
  await phone.setOffline(true);
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'For You' }), 'offline the app opens').toBeVisible();
  await phone.setOffline(false);
  await phone.close();
});

test('a device whose session has ended opens the sign-in from / and the landing page after the data is gone', async ({
  browser,
  server,
}) => {
  const phone = await newPhone(browser, server.url);
  const page = await phone.newPage();
  await page.goto('/');
  await page.evaluate(() => localStorage.setItem('hw.locked', `${Date.now()} somebody`));
  await page.goto('/');
  await expect(page).toHaveURL('/login');
  await page.evaluate(() => localStorage.removeItem('hw.locked'));
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Start Your Love Story Free' })).toBeVisible();
  await phone.close();
});
