import type { Page } from '@playwright/test';
import { addPeople, decisions } from './support/cast.ts';
import { focusDeck, inHand, nextCard, sitDown, top, untilOffered } from './support/deck.ts';
import { installed, newPhone, withWorker } from './support/phones.ts';
import { expect, test } from './support/test.ts';

const undo = (page: Page) => page.getByRole('button', { name: /^Undo/ });

/** Where the card in hand was, frame by frame, from now on. The clock must be held, and each call lets a frame pass. */
async function watchWay(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(() => {
    const way: number[] = [];
    Object.assign(globalThis, { way });
    const look = () => {
      const card = document.querySelector('[data-testid="top-card"]');
      if (card) way.push(new DOMMatrix(getComputedStyle(card).transform).e);
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  return async () => {
    await page.clock.runFor(20);
    return page.evaluate(() => (globalThis as unknown as { way: number[] }).way);
  };
}

test('the last pass comes back from the left, and the server forgets it', async ({ phoneA, server }) => {
  // A busy machine draws no frame of the way back: here they are counted out.
  await phoneA.clock.install();
  const { page, me, finger } = await sitDown(phoneA, server, 'Bea', 'Cleo', 'Dan');
  await expect(undo(page), 'nobody was passed on').toBeDisabled();
  const first = await inHand(page);
  await finger.swipe(top(page), { x: -170, y: 0 });
  await nextCard(page, first);
  await expect.poll(() => decisions(server, me)).toEqual([`pass ${first}`]);
  await expect(page.locator('[data-testid="top-card"]')).toHaveCount(1);

  await phoneA.clock.pauseAt(Date.now() + 60_000);
  const way = await watchWay(page);
  await page.getByRole('button', { name: `Undo: bring ${first} back` }).click();
  const frames = { intervals: [1] };
  await expect
    .poll(async () => Math.min(...(await way())), { ...frames, message: 'it comes in from the left' })
    .toBeLessThan(-100);
  await expect.poll(async () => (await way()).at(-1), frames).toBe(0);
  expect(Math.max(...(await way()))).toBeLessThan(20);
  await phoneA.clock.resume();
  await expect(top(page)).toContainText(`${first},`);
  await expect(page.getByText('1 of 3 matches')).toBeVisible();
  await expect.poll(() => decisions(server, me)).toEqual([]);

  await page.reload();
  await expect(top(page), 'and stays').toContainText(`${first},`);
});

test('Z and Ctrl+Z step back as often as there were passes, never over a like', async ({
  phoneA,
  server,
}) => {
  const { page, me } = await sitDown(phoneA, server, 'Bea', 'Cleo', 'Dan', 'Eve');
  const names: string[] = [];
  for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowLeft']) {
    const name = await inHand(page);
    names.push(name);
    await page.keyboard.press(key);
    await nextCard(page, name);
  }
  const [first, liked, third] = names;
  await page.keyboard.press('z');
  await expect(top(page)).toContainText(`${third},`);
  await page.keyboard.press('Control+z');
  await expect(top(page)).toContainText(`${first},`);
  await expect(undo(page)).toBeDisabled();
  await page.keyboard.press('z');
  await expect(page.getByText('2 of 4 matches')).toBeVisible();
  await expect.poll(() => decisions(server, me)).toEqual([`like ${liked}`]);
});

test('a card caught on its way out turns round, and the last card can be brought back too', async ({
  phoneA,
  server,
}) => {
  const { page, me } = await sitDown(phoneA, server, 'Bea', 'Cleo');
  const first = await inHand(page);
  await page.keyboard.press('ArrowLeft');
  await expect(undo(page)).toBeEnabled();
  await page.keyboard.press('z');
  await expect(top(page)).toContainText(`${first},`);
  await expect(top(page)).toHaveCSS('opacity', '1');
  await page.keyboard.press('ArrowRight');
  await nextCard(page, first);
  const last = await inHand(page);
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('heading', { name: 'No More Matches' })).toBeVisible();
  await page.getByRole('button', { name: `Bring ${last} back` }).click();
  await expect(top(page)).toContainText(`${last},`);
  await expect.poll(() => decisions(server, me)).toEqual([`like ${first}`]);
});

test('without a network the deck goes on, and what was undone is never sent', async ({
  browser,
  ownServer,
}) => {
  const phone = await newPhone(browser, ownServer.url, withWorker);
  const { page, me } = await sitDown(phone, ownServer, 'Bea', 'Cleo', 'Dan', 'Eve');
  await installed(page);
  await ownServer.stop();
  await page.reload();
  const first = await inHand(page);
  await focusDeck(page);
  await page.keyboard.press('ArrowRight');
  await nextCard(page, first);
  const second = await inHand(page);
  await page.keyboard.press('ArrowLeft');
  await nextCard(page, second);
  const third = await inHand(page);
  await page.keyboard.press('ArrowLeft');
  await nextCard(page, third);

  const undoThird = page.getByRole('button', { name: `Undo: bring ${third} back` });
  await expect(undoThird, 'it is stored').toBeVisible();
  await page.reload();
  await undoThird.click();
  await expect(top(page)).toContainText(`${third},`);
  await page.getByRole('button', { name: `Undo: bring ${second} back` }).click();
  await expect(top(page)).toContainText(`${second},`);
  await page.keyboard.press('ArrowLeft');
  await expect(top(page)).toContainText(`${third},`);

  await ownServer.start();
  await expect
    .poll(async () => (await decisions(ownServer, me)).sort(), { timeout: 30_000 })
    .toEqual([`like ${first}`, `pass ${second}`]);
  await addPeople(ownServer, 'Zoe');
  await untilOffered(phone, 3);
  // By key: a toast may still lie over it.
  await page.getByRole('button', { name: 'Refresh' }).press('Enter');
  await expect(page.getByText('1 of 3 matches')).toBeVisible();
  await phone.close();
});
