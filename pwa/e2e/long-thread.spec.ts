import type { Locator, Page } from '@playwright/test';
import { openLongThread, returnToList } from './support/long-thread.ts';
import { expect, test } from './support/test.ts';
import { bubble } from './support/thread.ts';

const COUNT = 10_000;
const FRAMES = 160;

/** In the page: scrolls fifty pixels a frame, and returns the largest number of messages that were in the document. */
function scrollAndCount(frames: number): Promise<number> {
  const box = document.querySelector('section[aria-label^="Messages with"]');
  let maxDrawn = 0;
  return new Promise((resolve) => {
    const step = (remaining: number) => {
      maxDrawn = Math.max(maxDrawn, document.querySelectorAll('[data-client-id]').length);
      if (!box || remaining === 0) return resolve(maxDrawn);
      box.scrollTop += 50;
      requestAnimationFrame(() => step(remaining - 1));
    };
    requestAnimationFrame(() => step(frames));
  });
}

/** Returns how often the page computed its layout while `work` ran. */
async function layoutsDuring(page: Page, work: () => Promise<unknown>): Promise<number> {
  const session = await page.context().newCDPSession(page);
  const count = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'LayoutCount')?.value ?? 0;
  };
  await session.send('Performance.enable');
  const before = await count();
  await work();
  return (await count()) - before;
}

type Opening = {
  /** Messages in the document when the first could be seen. */
  drawn: number;
  /** Rows read from the device until then. */
  rowsRead: number;
  /** Whether a skeleton was shown before. */
  skeleton: boolean;
};

/** In the page: opens the conversation and measures how its first messages were drawn. */
function openThread(link: Locator): Promise<Opening> {
  return link.evaluate((element: HTMLElement) => {
    let rowsRead = 0;
    const countRows = (event: Event) => {
      const { result } = event.target as IDBRequest;
      rowsRead += Array.isArray(result) ? result.length : 1;
    };
    for (const store of [IDBObjectStore.prototype, IDBIndex.prototype]) {
      for (const name of ['get', 'getAll', 'openCursor'] as const) {
        const read = store[name] as (...values: unknown[]) => IDBRequest;
        Object.assign(store, {
          [name](this: unknown, ...values: unknown[]) {
            const request = read.apply(this, values);
            request.addEventListener('success', countRows);
            return request;
          },
        });
      }
    }
    return new Promise<Opening>((resolve) => {
      let skeleton = false;
      const isVisible = (one: Element) => getComputedStyle(one).visibility === 'visible';
      const checkFrame = () => {
        const messages = [...document.querySelectorAll('[data-client-id]')];
        skeleton ||= document.querySelector('.animate-skeleton') !== null;
        if (messages.some(isVisible)) resolve({ drawn: messages.length, rowsRead, skeleton });
        else requestAnimationFrame(checkFrame);
      };
      element.click();
      requestAnimationFrame(checkFrame);
    });
  });
}

test("of ten thousand messages only those near the view are drawn, and the conversation opens from the device's data", async ({
  phoneA,
  phoneB,
  server,
}) => {
  const page = await openLongThread(phoneA, phoneB, server, COUNT);
  let maxDrawn = 0;
  const layouts = await layoutsDuring(page, async () => {
    maxDrawn = await page.evaluate(scrollAndCount, FRAMES);
  });
  const link = await returnToList(page, COUNT);
  await phoneA.setOffline(true);
  const { drawn, rowsRead, skeleton } = await openThread(link);
  await expect(bubble(page, `message ${COUNT}`)).toBeInViewport();

  expect(maxDrawn, 'messages in the document').toBeLessThan(80);
  expect(layouts, 'layouts').toBeLessThan(2 * FRAMES);
  expect(drawn, 'messages drawn first').toBeLessThan(30);
  expect(rowsRead, 'rows read from the device').toBeLessThan(200);
  expect(skeleton).toBe(false);
});
