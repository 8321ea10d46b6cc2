/**
 * Makes the pictures of the public pages from the demo data: `npm run bench -- site.bench.ts`. They are the product's
 * screens in both brightnesses as WebP (AVIF is no smaller), and the picture for previews of links.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { expect, type Ids, signInAsDemo, test } from '../support/demo.ts';

const folder = path.resolve(import.meta.dirname, '../../public/site');
/** The size in the pages; the screens are drawn in twice the resolution of the phone. */
const size = '480:960';

const screens: { name: string; path: (ids: Ids) => string; ready: (page: Page) => Promise<void> }[] = [
  {
    name: 'for-you',
    path: () => '/',
    ready: (page) => expect(page.getByTestId('top-card').getByRole('img').first()).toBeVisible(),
  },
  {
    name: 'conversation',
    path: ({ conversation }) => `/messages/${conversation}`,
    ready: (page) => expect(page.getByRole('textbox').last()).toBeVisible(),
  },
  {
    name: 'discover',
    path: () => '/discover',
    ready: (page) => expect(page.getByRole('heading', { name: /Found \d+/ })).toBeVisible(),
  },
];

function convert(source: string, target: string, options: string[]): void {
  execFileSync('ffmpeg', ['-loglevel', 'error', '-y', '-i', source, ...options, target]);
}

/** In the page: whether a picture on the screen is complete. Some of the others are never loaded. */
const isPictureLoaded = () =>
  [...document.images].some(
    (image) => image.complete && image.naturalWidth > 0 && image.getBoundingClientRect().top < innerHeight,
  );

/** In the page: removes reactions, for which a machine without a font of emoji draws boxes. */
function removeEmoji(): void {
  for (const element of document.querySelectorAll('main button, main span'))
    if (/^\p{Extended_Pictographic}/u.test(element.textContent?.trim() ?? '')) element.remove();
}

function open(browser: Browser, baseURL: string, colorScheme: 'light' | 'dark') {
  return browser.newContext({
    baseURL,
    colorScheme,
    viewport: { width: 390, height: 780 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    locale: 'en-US',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
  });
}

for (const scheme of ['light', 'dark'] as const)
  test(`the product's screens, ${scheme}`, async ({ browser, server }) => {
    mkdirSync(folder, { recursive: true });
    const phone = await open(browser, server.url, scheme);
    const ids = await signInAsDemo(phone);
    const page = await phone.newPage();
    for (const screen of screens) {
      await page.goto(screen.path(ids));
      await screen.ready(page);
      await expect.poll(() => page.evaluate(isPictureLoaded)).toBe(true);
      await page.waitForTimeout(2000);
      await page.evaluate(removeEmoji);
      const shot = path.join(folder, `${screen.name}-${scheme}.png`);
      await page.screenshot({ path: shot });
      const scale = ['-vf', `scale=${size}:flags=lanczos`];
      convert(shot, shot.replace('.png', '.webp'), [...scale, '-c:v', 'libwebp', '-quality', '72']);
      rmSync(shot);
    }
    await phone.close();
  });

test('the picture for previews of links', async ({ browser, server }) => {
  const context = await browser.newContext({
    baseURL: server.url,
    bypassCSP: true,
    viewport: { width: 1200, height: 630 },
  });
  const page = await context.newPage();
  await page.goto('/about');
  const screen = `data:image/webp;base64,${readFileSync(path.join(folder, 'for-you-light.webp')).toString('base64')}`;
  await page.evaluate((source) => {
    const logo = document.querySelector('header svg')?.outerHTML ?? '';
    document.documentElement.dataset.theme = 'light';
    document.body.innerHTML = `<div style="position:relative;width:1200px;height:630px;padding:88px 80px;overflow:hidden;background:var(--paper)">
      <div style="transform:scale(2.6);transform-origin:0 0;width:36px;height:36px">${logo}</div>
      <p style="margin-top:92px;width:640px;font:600 68px/76px Fraunces;color:var(--ink)">Dating with intention.<br>Always free.</p>
      <p style="margin-top:28px;font:600 32px/40px 'Figtree Variable';color:var(--ember-strong)">Heartward</p>
      <img alt="" src="${source}" style="position:absolute;right:72px;top:64px;width:340px;border-radius:36px;border:1px solid var(--line);box-shadow:var(--float)">
    </div>`;
  }, screen);
  await page.evaluate(() => document.fonts.ready);
  await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode())));
  const target = path.join(folder, 'preview.png');
  await page.screenshot({ path: target });
  await context.close();
});
