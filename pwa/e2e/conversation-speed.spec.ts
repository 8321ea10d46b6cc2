import type { CDPSession, Page } from '@playwright/test';
import { join, match } from './support/phones.ts';
import { expect, test } from './support/test.ts';
import { allRead, bubble, thread, writeMany } from './support/thread.ts';

/** A phone as many have it: four times slower than this machine. */
async function slow(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  return session;
}

/** The times between frames while the work goes on, in milliseconds. */
async function framesDuring(page: Page, work: () => Promise<unknown>): Promise<number[]> {
  await page.evaluate(() => {
    const times: number[] = [];
    Object.assign(globalThis, { frameTimes: times });
    const note = (at: number) => {
      times.push(at);
      requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
  });
  await work();
  const times = await page.evaluate(() => (globalThis as unknown as { frameTimes: number[] }).frameTimes);
  return times.slice(1).map((at, index) => at - (times[index] ?? at));
}

/**
 * In the page: the device holds every message of its one conversation, as if somebody had read all of it. (Going
 * back through ten thousand by hand is two hundred requests, which is not what is measured here.)
 */
async function holdAll(memberId: string): Promise<void> {
  const done = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const db = await done(indexedDB.open(`heartward-${memberId}`));
  const transaction = db.transaction(['messages', 'threads'], 'readwrite');
  const [messages, threads] = ['messages', 'threads'].map((name) => transaction.objectStore(name));
  if (!messages || !threads) throw new Error('no such tables');
  const [row] = await done(messages.getAll(null, 1));
  const [held] = await done(threads.getAll(null, 1));
  for (let seq = 1; seq < held.firstSeq; seq += 1) {
    const content = `message ${seq}`;
    messages.put({ ...row, id: `id ${seq}`, clientId: `client ${seq}`, seq, order: seq, content });
  }
  threads.put({ ...held, firstSeq: 1 });
  await new Promise((resolve) => {
    transaction.oncomplete = resolve;
  });
  db.close();
}

/** In the page: as a search does, without loading the app anew, which would tidy the device. */
function goToFirst(): void {
  history.pushState({ key: 'first' }, '', '?at=1');
  dispatchEvent(new PopStateEvent('popstate', { state: { key: 'first' } }));
}

test('ten thousand messages scroll smoothly on a slow phone', async ({ phoneA, phoneB, server }) => {
  const ann = await join(phoneA, server, 'Ann Many');
  const ben = await join(phoneB, server, 'Ben Many');
  await match(phoneA, ann, phoneB, ben);
  await writeMany(server, ann.id, ben.id, 10_000);
  await allRead(server, ann.id);
  const page = await phoneA.newPage();
  await page.goto(`/messages/${ben.id}`);
  await expect(bubble(page, 'message 10000')).toBeInViewport();
  await page.evaluate(holdAll, ann.id);
  await page.evaluate(goToFirst);
  await expect(bubble(page, 'message 1'), 'all of them are here').toBeInViewport();
  const session = await slow(page);
  const middle = await thread(page).boundingBox();
  const frames = await framesDuring(page, () =>
    session.send('Input.synthesizeScrollGesture', {
      x: (middle?.x ?? 0) + 150,
      y: (middle?.y ?? 0) + 400,
      yDistance: -12_000,
      speed: 3000,
    }),
  );
  const late = frames.filter((ms) => ms > 16.7 * 1.5).length;
  const worst = Math.max(...frames).toFixed(0);
  process.stdout.write(
    `10,000 messages at 4x: ${frames.length} frames, ${late} late, the longest ${worst} ms\n`,
  );
  expect(await page.locator('[data-client-id]').count(), 'only what is near is drawn').toBeLessThan(80);
  // The goal is none; a machine that runs other tests beside this one is late by itself.
  const mean = frames.reduce((sum, ms) => sum + ms, 0) / frames.length;
  expect(mean).toBeLessThan(100);
});

test('a conversation that was read before opens at once and without a network', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Quick');
  const ben = await join(phoneB, server, 'Ben Quick');
  await match(phoneA, ann, phoneB, ben);
  await writeMany(server, ann.id, ben.id, 1000);
  await allRead(server, ann.id);
  const page = await phoneA.newPage();
  await page.goto(`/messages/${ben.id}`);
  await expect(bubble(page, 'message 1000')).toBeInViewport();
  await page.evaluate(holdAll, ann.id);
  await page.evaluate(goToFirst);
  await expect(bubble(page, 'message 1')).toBeInViewport();
  await page.getByRole('button', { name: /jump to the newest/i }).click();
  await expect(bubble(page, 'message 1000')).toBeInViewport();
  await page.getByRole('link', { name: 'Back to messages' }).click();
  const row = page.getByRole('link', { name: /message 1000/ });
  await expect(row).toBeVisible();
  await phoneA.setOffline(true);
  await slow(page);
  const took = await row.evaluate(
    (link: HTMLElement) =>
      new Promise<number>((resolve) => {
        const began = performance.now();
        const look = () => {
          if (document.querySelector('[data-client-id]')) resolve(performance.now() - began);
          else requestAnimationFrame(look);
        };
        link.click();
        requestAnimationFrame(look);
      }),
  );
  process.stdout.write(`1,000 messages at 4x, offline: first bubbles after ${took.toFixed(0)} ms\n`);
  await expect(bubble(page, 'message 1000')).toBeInViewport();
  // The goal is 150 ms; a machine that runs other tests beside this one is slower still.
  expect(took).toBeLessThan(1500);
});
