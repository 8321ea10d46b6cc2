/**
 * The figures of a phone: Lighthouse, the warm start to the first picture, the longest task and the frames of a swipe, the
 * longest task of the filters, the frames of a sheet and of a list.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type BrowserContext, chromium, type Locator, type Page } from '@playwright/test';
import { benchOptions } from '../support/browser.ts';
import { top } from '../support/deck.ts';
import { test as base, expect, signInAsDemo } from '../support/demo.ts';
import { centreOf, Finger } from '../support/finger.ts';
import { newPhone, waitForServiceWorker } from '../support/phones.ts';
import { freePort } from '../support/server.ts';
import { type Figures, measure } from './lighthouse.ts';
import { longestTask, median, ms, print, recordFrames, SLOWDOWN } from './measure.ts';
import { SlowNetwork } from './slow-network.ts';

/** Two frames of a screen with 60 a second, and a rounding. */
const LATE_MS = 34;
const RUNS = Number(process.env.RUNS ?? 3);
/** A page without script or style, the lower bound of this machine. */
const barePage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Bare</title><meta name="viewport" content="width=device-width">
<meta name="description" content="Bare"><main><h1>Bare</h1><img alt="" src="/picture" width="320" height="320"></main></html>`;

type Bare = { url: string };

const test = base.extend<object, { bare: Bare }>({
  bare: [
    async ({ server }, use) => {
      const picture = await fetch(`${server.url}/icons/icon-512.png`).then((response) =>
        response.arrayBuffer(),
      );
      const listener = createServer((request, response) => {
        const isPicture = request.url === '/picture';
        response.setHeader('Content-Type', isPicture ? 'image/png' : 'text/html; charset=utf-8');
        response.end(isPicture ? Buffer.from(picture) : barePage);
      });
      listener.listen(0, '127.0.0.1');
      await once(listener, 'listening');
      await use({ url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}` });
      listener.close();
    },
    { scope: 'worker' },
  ],
});

/** Runs `work` in a Chromium of its own, in which Lighthouse can open pages with the cookies of the context. */
async function withChromium(
  baseURL: string,
  work: (context: BrowserContext, port: number) => Promise<void>,
): Promise<void> {
  const port = await freePort();
  const context = await chromium.launchPersistentContext('', {
    ...benchOptions,
    args: [...(benchOptions.args ?? []), `--remote-debugging-port=${port}`],
    baseURL,
    viewport: { width: 390, height: 844 },
    serviceWorkers: 'allow',
  });
  try {
    await work(context, port);
  } finally {
    await context.close();
  }
}

const screens = [
  ['/', 90],
  ['/discover', 90],
  ['/matches', 90],
  ['/messages', 90],
  ['/profile', 90],
] as const;

/** Prints the medians of RUNS measurements of a page. */
async function printLighthouse(name: string, goal: number | null, url: string, port: number): Promise<void> {
  const runs: Figures[] = [];
  for (let run = 0; run < RUNS; run += 1) runs.push(await measure(url, port));
  type Numbers = { [Key in keyof Figures]: Figures[Key] extends number ? Key : never }[keyof Figures];
  const medianOf = (key: Numbers) => median(runs.map((figures) => figures[key]));
  print(
    `${name.padEnd(22)} ${String(medianOf('performance')).padStart(4)} ${goal === null ? '      ' : `(${goal})`.padStart(6)}` +
      `${ms(medianOf('lcp')).padStart(10)}${ms(medianOf('tbt')).padStart(10)}${medianOf('cls').toFixed(4).padStart(9)}` +
      `${String(medianOf('accessibility')).padStart(6)}${String(medianOf('practices')).padStart(6)}`,
  );
  const slowest = runs.toSorted((a, b) => b.longestTask - a.longestTask)[0];
  print(
    `  longest task ${ms(medianOf('longestTask'))}, slowest ${ms(slowest?.longestTask ?? 0)} in ${slowest?.longestTaskOf}`,
  );
  for (const paint of new Set(runs.map(({ largestPaint }) => largestPaint)))
    print(`  largest paint ${paint.replace(/\s+/g, ' ').slice(0, 160)}`);
  for (const title of new Set(runs.flatMap(({ failed }) => failed))) print(`  failed: ${title}`);
}

test('Lighthouse, phone', async ({ server, bare }) => {
  test.setTimeout(30 * 60_000);
  print(
    `Lighthouse, phone preset, storage cleared, median of ${RUNS}; goals: LCP 2500 ms, TBT 200 ms, CLS 0.02`,
  );
  print(`${'page'.padEnd(22)}score  goal       LCP       TBT      CLS  a11y  best`);
  await withChromium(server.url, async (context, port) => {
    await printLighthouse('bare page', null, bare.url, port);
    await printLighthouse('landing', 98, server.url, port);
    await printLighthouse('/signup', 95, `${server.url}/signup`, port);
    await signInAsDemo(context);
    for (const [path, goal] of screens)
      await printLighthouse(`${path} signed in`, goal, server.url + path, port);
  });
});

/** In the page: the time from the start of the navigation until the first card's picture is drawn. */
function timeUntilPicture(): Promise<number> {
  return new Promise((resolve) => {
    const checkFrame = () => {
      const picture = document.querySelector<HTMLImageElement>('[data-testid=top-card] img, main > img');
      if (picture?.complete && picture.naturalWidth > 0) resolve(performance.now());
      else requestAnimationFrame(checkFrame);
    };
    checkFrame();
  });
}

/** Opens an address in a new page of a phone slowed four times, and returns the time until its picture is drawn. */
async function timeStart(context: BrowserContext, url: string): Promise<number> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await page.goto(url, { waitUntil: 'commit' });
  const time = await page.evaluate(timeUntilPicture);
  await page.close();
  return time;
}

async function timeStarts(context: BrowserContext, url: string): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) times.push(await timeStart(context, url));
  return median(times);
}

test('warm start to the first picture', async ({ server, bare }) => {
  test.setTimeout(10 * 60_000);
  const network = await SlowNetwork.start(server.port);
  const bareNetwork = await SlowNetwork.start(Number(new URL(bare.url).port));
  await withChromium(network.url, async (context) => {
    await signInAsDemo(context);
    const page = await context.newPage();
    await page.goto('/');
    await waitForServiceWorker(page);
    await expect(top(page).getByRole('img')).toBeVisible();
    await page.close();
    const online = await timeStarts(context, network.url);
    const bareOnline = await timeStarts(context, bareNetwork.url);
    await network.close();
    const offline = await timeStarts(context, network.url);
    print(
      `first picture, worker active, ${SLOWDOWN}x slower phone, Slow 4G: ${ms(online)} (goal 1200 ms); bare page ${ms(bareOnline)}`,
    );
    print(`  offline: ${ms(offline)} (goal 1000 ms)`);
  });
  await bareNetwork.close();
});

test('swiping cards', async ({ browser, server, bare }) => {
  const phone = await newPhone(browser, server.url);
  await signInAsDemo(phone);
  const page = await phone.newPage();
  await page.goto('/');
  const finger = await Finger.on(page);
  const card = top(page);
  await expect(card.getByRole('img')).toBeVisible();
  const times: number[] = [];
  for (let run = 0; run < 2 * RUNS; run += 1) {
    const name = await card.getByRole('heading').textContent();
    await centreOf(card);
    const task = await longestTask(browser, page, async () => {
      await finger.swipe(card, { x: -170, y: 8 });
      await expect(card.getByRole('heading')).not.toHaveText(name ?? '');
      await centreOf(card);
    });
    times.push(SLOWDOWN * task);
  }
  const other = await phone.newPage();
  const bareTask = await longestTask(browser, other, () => other.goto(bare.url));
  print(
    `swiping a card, ${SLOWDOWN}x slower phone, longest task: ${ms(median(times))} (goal 33 ms; slowest of ` +
      `${times.length}: ${ms(Math.max(...times))}); opening the bare page ${ms(SLOWDOWN * bareTask)}`,
  );
  await phone.close();
});

test('frames of a swipe', async ({ browser, server, bare }) => {
  const phone = await newPhone(browser, server.url);
  await signInAsDemo(phone);
  const page = await phone.newPage();
  await page.goto('/');
  const finger = await Finger.on(page);
  const card = top(page);
  await expect(card.getByRole('img')).toBeVisible();
  await page.waitForLoadState('networkidle');
  print(`frames of a swipe, ${SLOWDOWN}x slower phone; goal: none above 33 ms`);
  print(`${'swipe'.padEnd(12)}frames  longest  above 33 ms`);
  const row = (name: string, frames: number[]) =>
    print(
      `${name.padEnd(12)}${String(frames.length).padStart(6)}${ms(Math.max(...frames)).padStart(9)}` +
        `${String(frames.filter((frame) => frame > LATE_MS).length).padStart(13)}`,
    );
  for (let run = 1; run <= 2 * RUNS; run += 1) {
    const name = await card.getByRole('heading').textContent();
    const middle = await centreOf(card);
    const frames = await recordFrames(page, async () => {
      await finger.down(middle);
      // One frame or more between two touches, as on a phone.
      for (let step = 0; step < 17; step += 1) {
        await finger.move({ x: -10, y: 1 }, 16, 1);
        await page.evaluate(() => new Promise(requestAnimationFrame));
      }
      await finger.up();
      await expect(card.getByRole('heading')).not.toHaveText(name ?? '');
      await centreOf(card);
    });
    row(`${run}`, frames);
  }
  const other = await phone.newPage();
  await other.goto(bare.url);
  row('bare page', await recordFrames(other, () => other.waitForFunction(() => performance.now() > 1500)));
  await phone.close();
});

test('opening the filters', async ({ browser, server }) => {
  const phone = await newPhone(browser, server.url);
  await signInAsDemo(phone);
  const page = await phone.newPage();
  await page.goto('/discover');
  await expect(page.getByRole('article').nth(7)).toBeAttached();
  const sheet = page.getByRole('dialog', { name: 'Advanced Filters' });
  const button = await centreOf(page.getByRole('button', { name: 'Customize Search' }));
  // A locator is looked up in the page, for longer than what is measured.
  const settle = () => page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 700)));
  const open = () => page.touchscreen.tap(button.x, button.y).then(settle);
  const close = () => page.keyboard.press('Escape').then(settle);
  // Loads the editor and the animation library.
  await open();
  await page.waitForLoadState('networkidle');
  await close();
  const times: Record<'opening' | 'closing', number[]> = { opening: [], closing: [] };
  for (let run = 0; run < 2 * RUNS; run += 1) {
    times.opening.push(SLOWDOWN * (await longestTask(browser, page, open)));
    await expect(sheet.getByText('Compatibility and order')).toBeVisible();
    times.closing.push(SLOWDOWN * (await longestTask(browser, page, close)));
    await expect(sheet).toBeHidden();
  }
  for (const [name, all] of Object.entries(times))
    print(
      `${name} the filters, ${SLOWDOWN}x slower phone, longest task: ${ms(median(all))} (goal 33 ms; slowest of ` +
        `${all.length}: ${ms(Math.max(...all))})`,
    );
  await phone.close();
});

test('frames of a sheet and of a list', async ({ browser, server }) => {
  const phone = await newPhone(browser, server.url);
  await signInAsDemo(phone);
  const page = await phone.newPage();
  await page.goto('/messages');
  const options = (tab: Page) => tab.getByRole('button', { name: 'Options for the conversation with' });
  const sheet = (tab: Page) => tab.getByRole('dialog');
  const library = page.waitForResponse(/\/assets\/motion-/);
  await options(page).first().click();
  await page.keyboard.press('Escape');
  await library;
  // Another tab changes the list.
  const other = await phone.newPage();
  await other.goto('/messages');
  const choose = async (row: Locator, action: string) => {
    await row.click();
    await sheet(other).getByText(action, { exact: true }).click();
  };
  const last = page.locator('[data-scroll-box=conversations] li').nth(2);
  print(`frames of a sheet and of a list, ${SLOWDOWN}x slower phone; median of the longest of ${RUNS} runs`);
  print(`${''.padEnd(24)}moved  without motion`);
  const actions = [
    [
      'opening a sheet',
      () =>
        options(page)
          .first()
          .click()
          .then(() => centreOf(sheet(page))),
    ],
    ['closing a sheet', () => page.keyboard.press('Escape').then(() => centreOf(last))],
    ['a row moves up', () => choose(options(other).nth(2), 'Pin to the top').then(() => centreOf(last))],
    ['a row moves down', () => choose(options(other).first(), 'Unpin').then(() => centreOf(last))],
  ] as const;
  const longest = new Map<string, number[]>();
  for (let run = 0; run < RUNS; run += 1)
    for (const reducedMotion of ['no-preference', 'reduce'] as const) {
      await page.emulateMedia({ reducedMotion });
      for (const [name, work] of actions) {
        const key = `${name} ${reducedMotion}`;
        const frames = await recordFrames(page, work);
        longest.set(key, [...(longest.get(key) ?? []), Math.max(...frames)]);
      }
    }
  const figure = (key: string) => ms(median(longest.get(key) ?? []));
  for (const [name] of actions)
    print(
      `${name.padEnd(20)}${figure(`${name} no-preference`).padStart(9)}${figure(`${name} reduce`).padStart(16)}`,
    );
  await phone.close();
});
