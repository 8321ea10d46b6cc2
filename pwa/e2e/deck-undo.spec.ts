import type { Page } from '@playwright/test';
import {
  focusDeck,
  openDeck,
  top,
  topCardName,
  waitForCandidates,
  waitForMotion,
  waitForNextCard,
} from './support/deck.ts';
import { addPeople, decisionsOf } from './support/people.ts';
import { afterRestart, newPhone, waitForServiceWorker, withWorker } from './support/phones.ts';
import { expect, test } from './support/test.ts';

const undo = (page: Page) => page.getByRole('button', { name: /^Undo/ });

/**
 * Records the x offset of the top card in each frame from now on. The page's clock must be paused; each call of the
 * returned function runs it for one frame and returns all offsets.
 */
async function recordOffsets(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(() => {
    const offsets: number[] = [];
    Object.assign(globalThis, { offsets });
    const checkFrame = () => {
      const card = document.querySelector('[data-testid="top-card"]');
      if (card) offsets.push(new DOMMatrix(getComputedStyle(card).transform).e);
      requestAnimationFrame(checkFrame);
    };
    requestAnimationFrame(checkFrame);
  });
  return async () => {
    await page.clock.runFor(20);
    return page.evaluate(() => (globalThis as unknown as { offsets: number[] }).offsets);
  };
}

test('undo returns the last passed card from the left and deletes the pass on the server', async ({
  phoneA,
  server,
}) => {
  // The test advances the clock by itself, because a busy machine may draw no frame of the animation.
  await phoneA.clock.install();
  const { page, me, finger } = await openDeck(phoneA, server, 'Bea', 'Cleo', 'Dan');
  await waitForMotion(page);
  await expect(undo(page), 'there is no pass to undo').toBeDisabled();
  const first = await topCardName(page);
  await finger.swipe(top(page), { x: -170, y: 0 });
  await waitForNextCard(page, first);
  await expect.poll(() => decisionsOf(server, me)).toEqual([`pass ${first}`]);
  await expect(page.locator('[data-testid="top-card"]')).toHaveCount(1);

  await phoneA.clock.pauseAt(Date.now() + 60_000);
  const offsets = await recordOffsets(page);
  await page.getByRole('button', { name: `Undo: bring ${first} back` }).click();
  const frames = { intervals: [1] };
  await expect
    .poll(async () => Math.min(...(await offsets())), { ...frames, message: 'the card enters from the left' })
    .toBeLessThan(-100);
  await expect.poll(async () => (await offsets()).at(-1), frames).toBe(0);
  expect(Math.max(...(await offsets()))).toBeLessThan(20);
  await phoneA.clock.resume();
  await expect(top(page)).toContainText(`${first},`);
  await expect(page.getByText('1 of 3 matches')).toBeVisible();
  await expect.poll(() => decisionsOf(server, me)).toEqual([]);

  await page.reload();
  await expect(top(page), 'the card stays').toContainText(`${first},`);
});

test('Z and Ctrl+Z undo one pass each and stop at a like', async ({ phoneA, server }) => {
  const { page, me } = await openDeck(phoneA, server, 'Bea', 'Cleo', 'Dan', 'Eve');
  const names: string[] = [];
  for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowLeft']) {
    const name = await topCardName(page);
    names.push(name);
    await page.keyboard.press(key);
    await waitForNextCard(page, name);
  }
  const [first, liked, third] = names;
  await page.keyboard.press('z');
  await expect(top(page)).toContainText(`${third},`);
  await page.keyboard.press('Control+z');
  await expect(top(page)).toContainText(`${first},`);
  await expect(undo(page)).toBeDisabled();
  await page.keyboard.press('z');
  await expect(page.getByText('2 of 4 matches')).toBeVisible();
  await expect.poll(() => decisionsOf(server, me)).toEqual([`like ${liked}`]);
});

test('undo during the exit animation returns the card, and a pass on the last card of the deck can be undone too', async ({
  phoneA,
  server,
}) => {
  const { page, me } = await openDeck(phoneA, server, 'Bea', 'Cleo');
  const first = await topCardName(page);
  await page.keyboard.press('ArrowLeft');
  await expect(undo(page)).toBeEnabled();
  await page.keyboard.press('z');
  await expect(top(page)).toContainText(`${first},`);
  await expect(top(page).locator('..')).toHaveCSS('opacity', '1');
  await page.keyboard.press('ArrowRight');
  await waitForNextCard(page, first);
  const last = await topCardName(page);
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('heading', { name: 'No More Matches' })).toBeVisible();
  await page.getByRole('button', { name: `Bring ${last} back` }).click();
  await expect(top(page)).toContainText(`${last},`);
  await expect.poll(() => decisionsOf(server, me)).toEqual([`like ${first}`]);
});

test('offline the deck continues, and a pass that was undone is never sent', async ({
  browser,
  ownServer,
}) => {
  const phone = await newPhone(browser, ownServer.url, withWorker);
  const { page, me } = await openDeck(phone, ownServer, 'Bea', 'Cleo', 'Dan', 'Eve');
  await waitForServiceWorker(page);
  await ownServer.stop();
  await page.reload();
  const first = await topCardName(page);
  await focusDeck(page);
  await page.keyboard.press('ArrowRight');
  await waitForNextCard(page, first);
  const second = await topCardName(page);
  await page.keyboard.press('ArrowLeft');
  await waitForNextCard(page, second);
  const third = await topCardName(page);
  await page.keyboard.press('ArrowLeft');
  await waitForNextCard(page, third);

  const undoThird = page.getByRole('button', { name: `Undo: bring ${third} back` });
  await expect(undoThird, 'the pass is stored').toBeVisible();
  await page.reload();
  await undoThird.click();
  await expect(top(page)).toContainText(`${third},`);
  await page.getByRole('button', { name: `Undo: bring ${second} back` }).click();
  await expect(top(page)).toContainText(`${second},`);
  await page.keyboard.press('ArrowLeft');
  await expect(top(page)).toContainText(`${third},`);

  await ownServer.start();
  await expect
    .poll(async () => (await decisionsOf(ownServer, me)).sort(), afterRestart)
    .toEqual([`like ${first}`, `pass ${second}`]);
  await addPeople(ownServer, 'Zoe');
  await waitForCandidates(phone, 3);
  // By keyboard, because a toast may still cover it.
  await page.getByRole('button', { name: 'Refresh' }).press('Enter');
  await expect(page.getByText('1 of 3 matches')).toBeVisible();
  await phone.close();
});
