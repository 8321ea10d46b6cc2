import type { CDPSession, Locator } from '@playwright/test';
import { leaveThread, openLongThread, returnToList } from '../support/long-thread.ts';
import { test } from '../support/test.ts';
import { longestTask, median, ms, print, SLOWDOWN } from './measure.ts';

const FRAMES = 160;
const FRAME_GOAL_MS = 16.7;
const LONGEST_GOAL_MS = 33;
const OPEN_GOAL_MS = 150;
const RUNS = 5;

/**
 * Returns the milliseconds for which the page's main thread worked during `work`, independent of the machine's load.
 */
async function workDuring(session: CDPSession, work: () => Promise<unknown>): Promise<number> {
  const readTaskMs = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  };
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const before = await readTaskMs();
  await work();
  return (await readTaskMs()) - before;
}

/** In the page: scrolls fifty pixels a frame, as fast as a thumb. */
function scrollFrames(frames: number): Promise<void> {
  const box = document.querySelector('section[aria-label^="Messages with"]');
  return new Promise((resolve) => {
    const step = (remaining: number) => {
      if (!box || remaining === 0) return resolve();
      box.scrollTop += 50;
      requestAnimationFrame(() => step(remaining - 1));
    };
    requestAnimationFrame(() => step(frames));
  });
}

/** In the page: the baseline, which adds a line of bare elements with each frame, removes one, and scrolls as far. */
function scrollPlainLines(frames: number): Promise<void> {
  const box = document.createElement('section');
  box.style.cssText = 'height:700px;overflow:hidden';
  document.body.replaceChildren(box);
  return new Promise((resolve) => {
    const step = (remaining: number) => {
      if (remaining === 0) return resolve();
      const line = document.createElement('div');
      for (const name of ['p', 'time', 'button'])
        line.append(Object.assign(document.createElement(name), { textContent: `${name} ${remaining}` }));
      line.style.cssText = 'height:50px;position:relative;overflow:hidden';
      box.append(line);
      if (box.children.length > 30) box.firstElementChild?.remove();
      box.scrollTop += 50;
      requestAnimationFrame(() => step(remaining - 1));
    };
    requestAnimationFrame(() => step(frames));
  });
}

/** In the page: the baseline, which draws three hundred bare elements. */
function drawBare(): Promise<void> {
  return new Promise((resolve) => {
    const plain = document.createElement('div');
    plain.style.cssText = 'position:fixed;inset:0;z-index:99;overflow:hidden';
    for (let index = 0; index < 300; index += 1) {
      const line = document.createElement('p');
      line.textContent = `line ${index}`;
      plain.append(line);
    }
    document.body.append(plain);
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        plain.remove();
        resolve();
      }),
    );
  });
}

/** Opens the conversation and returns the milliseconds until its first message can be seen. */
function timeOpening(link: Locator): Promise<number> {
  return link.evaluate(
    (element: HTMLElement) =>
      new Promise<number>((resolve) => {
        const startedAt = performance.now();
        const isVisible = (one: Element) => getComputedStyle(one).visibility === 'visible';
        const checkFrame = () => {
          if ([...document.querySelectorAll('[data-client-id]')].some(isVisible))
            resolve(performance.now() - startedAt);
          else requestAnimationFrame(checkFrame);
        };
        element.click();
        requestAnimationFrame(checkFrame);
      }),
  );
}

test('scrolling through 10,000 messages', async ({ browser, phoneA, phoneB, server }) => {
  const page = await openLongThread(phoneA, phoneB, server, 10_000);
  const session = await phoneA.newCDPSession(page);
  const perFrame = async (work: () => Promise<void>) => (await workDuring(session, work)) / FRAMES;
  const measured = SLOWDOWN * (await perFrame(() => page.evaluate(scrollFrames, FRAMES)));
  const longest = SLOWDOWN * (await longestTask(browser, page, () => page.evaluate(scrollFrames, FRAMES)));
  const bare = SLOWDOWN * (await perFrame(() => page.evaluate(scrollPlainLines, FRAMES)));
  const longestBare =
    SLOWDOWN * (await longestTask(browser, page, () => page.evaluate(scrollPlainLines, FRAMES)));
  print(
    `scroll 10,000 messages, ${SLOWDOWN}x slower phone, work a frame: ${measured.toFixed(1)} ms (goal ${FRAME_GOAL_MS} ms)`,
  );
  print(`  baseline, bare lines: ${bare.toFixed(1)} ms; ratio ${(measured / bare).toFixed(1)}`);
  print(`  longest task: ${ms(longest)} (goal ${LONGEST_GOAL_MS} ms); bare lines ${ms(longestBare)}`);
});

test('opening 1,000 messages offline', async ({ phoneA, phoneB, server }) => {
  const page = await openLongThread(phoneA, phoneB, server, 1000);
  let link = await returnToList(page, 1000);
  await phoneA.setOffline(true);
  const session = await phoneA.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  const times: number[] = [];
  const measured: number[] = [];
  const bare: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    bare.push(await workDuring(session, () => page.evaluate(drawBare)));
    measured.push(
      await workDuring(session, async () => {
        times.push(await timeOpening(link));
      }),
    );
    link = await leaveThread(page, 1000);
  }
  print(
    `open 1,000 messages offline, ${SLOWDOWN}x slower phone, first message after: ${median(times).toFixed(0)} ms (goal ${OPEN_GOAL_MS} ms; median of ${RUNS}, slowest ${Math.max(...times).toFixed(0)})`,
  );
  print(
    `  work ${median(measured).toFixed(0)} ms; baseline, 300 bare elements: ${median(bare).toFixed(0)} ms; ratio ${(median(measured) / median(bare)).toFixed(1)}`,
  );
});
