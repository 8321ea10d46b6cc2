// Takes a picture of every screen of a running demo server, in each size and theme, and writes FOLDER/index.html with all of
// them. With the folder of an earlier run, each stands beside the same screen of then:
//
//   npm run pictures -- http://localhost:8080 FOLDER [EARLIER]
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from '@playwright/test';

const [, , origin, folder, earlier] = process.argv;
if (!origin || !folder) throw new Error('usage: npm run pictures -- URL FOLDER [EARLIER]');

/** Widths and heights in CSS pixels; `text` is the size of the root's text in percent. */
const looks = [
  { name: '390-light', width: 390, height: 844, theme: 'light' },
  { name: '390-dark', width: 390, height: 844, theme: 'dark' },
  { name: '390-taco', width: 390, height: 844, theme: 'taco' },
  { name: '390-large-text', width: 390, height: 844, theme: 'light', text: 200 },
  { name: '320-light', width: 320, height: 640, theme: 'light' },
  { name: '768-dark', width: 768, height: 1024, theme: 'dark' },
  { name: '1440-light', width: 1440, height: 900, theme: 'light' },
];

const queues = 'queue users reports appeals messages verifications profiles graduations community';

/** The screens of each account. One that ends in * is the first entry to which the list at this address links. */
const accounts = [
  { name: 'visitor', screens: ['/', '/signup', '/login', '/community', '/legacy-wall', '/safety'] },
  {
    name: 'member',
    email: 'demo@heartward.test',
    screens: [
      ...['/', '/discover', '/profile/*', '/matches', '/matches/likes', '/messages', '/messages/*', '/dates'],
      ...['/notifications', '/community', '/community/*', '/love-pulse', '/badges', '/referrals', '/perks'],
      ...['/shareable-moments', '/graduation', '/legacy-wall', '/safety'],
      ...['overview', 'activity', 'settings'].map((tab) => `/profile?tab=${tab}`),
      ...['notifications', 'appearance', 'filters', 'media', 'privacy'].map((tab) => `/settings?tab=${tab}`),
    ],
  },
  {
    name: 'admin',
    email: 'admin@heartward.test',
    screens: [...queues.split(' '), 'audit', 'figures', 'settings'].map((tab) => `/admin/dashboard/${tab}`),
  },
];

/** Where the first entry of a list is linked; profiles are linked from Matches. */
const lists = { '/profile/*': '/matches', '/messages/*': '/messages', '/community/*': '/community' };

const fileOf = (account, screen, look) =>
  `${account.name}${screen === '/' ? '-home' : screen.replace('*', 'first').replaceAll(/\W+/g, '-')}.${look.name}.png`;

async function signIn(context, email) {
  const response = await context.request.post('/api/auth/login', {
    headers: { Origin: origin, 'X-Requested-With': 'heartward' },
    data: { email, password: 'heartward-demo' },
  });
  if (!response.ok()) throw new Error(`${email}: ${response.status()} ${await response.text()}`);
}

/** Opens an address, and waits until nothing is loading and nothing moves. */
async function openAtRest(page, address) {
  await page.goto(address, { waitUntil: 'networkidle' });
  await page.evaluate(async () => {
    await document.fonts.ready;
    await Promise.all(
      [...document.images]
        .filter(({ loading }) => loading !== 'lazy')
        .map((one) => one.decode().catch(() => 0)),
    );
  });
}

async function firstEntry(page, screen) {
  await openAtRest(page, lists[screen]);
  const prefix = screen.slice(0, -1);
  const href = await page
    .locator(`main a[href^="${prefix}"]`)
    .evaluateAll(
      (links, start) =>
        links
          .map((link) => link.getAttribute('href'))
          .find((one) => /^[\da-f-]{36}/.test(one.slice(start.length))),
      prefix,
    );
  if (!href) throw new Error(`${lists[screen]} links to no ${screen}`);
  return href;
}

async function takeAll(browser, account, look) {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width: look.width, height: look.height },
    colorScheme: look.theme === 'dark' ? 'dark' : 'light',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    hasTouch: look.width < 500,
  });
  await context.addInitScript(({ theme, text }) => {
    if (theme === 'taco') localStorage.setItem('hw.theme', theme);
    if (text)
      document.addEventListener(
        'DOMContentLoaded',
        () => (document.documentElement.style.fontSize = `${text}%`),
      );
  }, look);
  if (account.email) await signIn(context, account.email);
  const page = await context.newPage();
  for (const screen of account.screens) {
    try {
      await openAtRest(page, lists[screen] ? await firstEntry(page, screen) : screen);
      await page.screenshot({
        path: path.join(folder, fileOf(account, screen, look)),
        animations: 'disabled',
      });
    } catch (error) {
      console.error(`${account.name} ${screen} ${look.name}: ${error.message.split('\n')[0]}`);
      process.exitCode = 1;
    }
  }
  await context.close();
}

/** The page with all pictures: one section for each screen, with its looks side by side. */
function writeIndex() {
  const before = earlier && existsSync(earlier) ? new Set(readdirSync(earlier)) : new Set();
  const picture = (source, caption) =>
    `<figure><img src="${source}" loading="lazy" alt=""><figcaption>${caption}</figcaption></figure>`;
  const sections = accounts.flatMap((account) =>
    account.screens.map((screen) => {
      const figures = looks.flatMap((look) => {
        const file = fileOf(account, screen, look);
        const then = path.relative(folder, path.join(earlier ?? '', file));
        return [before.has(file) ? picture(then, `${look.name}, earlier`) : '', picture(file, look.name)];
      });
      return `<h2>${account.name} ${screen}</h2><div>${figures.join('')}</div>`;
    }),
  );
  const style =
    'div{display:flex;gap:8px;overflow-x:auto}figure{margin:0}img{height:560px;border:1px solid #ccc}';
  writeFileSync(
    path.join(folder, 'index.html'),
    `<!doctype html><meta charset="utf-8"><title>Screens</title><style>${style}</style>${sections.join('\n')}`,
  );
}

mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_SHELL, args: ['--no-sandbox'] });
for (const look of looks) for (const account of accounts) await takeAll(browser, account, look);
await browser.close();
writeIndex();
