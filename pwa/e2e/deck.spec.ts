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
import { centreOf } from './support/finger.ts';
import { addPeople, decisionsOf } from './support/people.ts';
import { expect, test } from './support/test.ts';

const matrixOf = (page: Page) => top(page).evaluate((card) => getComputedStyle(card).transform);
const isAtRest = (matrix: string) => matrix === 'none' || matrix === 'matrix(1, 0, 0, 1, 0, 0)';

test('a swipe to the right likes, to the left passes, up super likes', async ({ phoneA, server }) => {
  const { page, me, finger } = await openDeck(phoneA, server, 'Bea', 'Cleo', 'Dan', 'Eve');
  const first = await topCardName(page);
  await finger.swipe(top(page), { x: 170, y: 12 });
  await waitForNextCard(page, first);
  const second = await topCardName(page);
  await finger.swipe(top(page), { x: -170, y: -12 });
  await waitForNextCard(page, second);
  const third = await topCardName(page);
  await finger.swipe(top(page), { x: 10, y: -200 });
  await waitForNextCard(page, third);
  await expect(page.getByText('4 of 4 matches')).toBeVisible();
  await expect
    .poll(() => decisionsOf(server, me))
    .toEqual(expect.arrayContaining([`like ${first}`, `pass ${second}`, `super_like ${third}`]));
  expect(await decisionsOf(server, me)).toHaveLength(3);
});

test('a flick decides by its speed, and a card released while it moves back springs back', async ({
  phoneA,
  server,
}) => {
  const { page, me, finger } = await openDeck(phoneA, server, 'Bea', 'Cleo', 'Dan');
  await waitForMotion(page);
  const first = await topCardName(page);
  await finger.down(await centreOf(top(page)));
  await finger.move({ x: 200, y: 0 }, 200);
  await finger.move({ x: -120, y: 0 }, 100);
  await finger.up();
  await expect.poll(async () => isAtRest(await matrixOf(page))).toBe(true);
  await expect(top(page)).toContainText(`${first},`);
  await finger.swipe(top(page), { x: 60, y: 0 }, 60);
  await waitForNextCard(page, first);
  await expect.poll(() => decisionsOf(server, me)).toEqual([`like ${first}`]);
});

test('a short slow drag moves the card, which springs back and sends nothing', async ({ phoneA, server }) => {
  const { page, me, finger } = await openDeck(phoneA, server, 'Bea', 'Cleo', 'Dan');
  await waitForMotion(page);
  const first = await topCardName(page);
  await finger.down(await centreOf(top(page)));
  await finger.move({ x: 20, y: 0 }, 400);
  await finger.move({ x: 60, y: 0 }, 1200);
  await expect.poll(async () => isAtRest(await matrixOf(page))).toBe(false);
  await finger.up();
  await expect.poll(async () => isAtRest(await matrixOf(page))).toBe(true);
  await expect(top(page)).toContainText(`${first},`);

  await finger.down(await centreOf(top(page)));
  await finger.move({ x: 30, y: -4 }, 300);
  await finger.move({ x: 10, y: -180 }, 900);
  await finger.up();
  await expect.poll(async () => isAtRest(await matrixOf(page))).toBe(true);
  await expect(top(page), 'a horizontal drag does not become a super like').toContainText(`${first},`);

  // Only the next decision reaches the server: the drag has enqueued nothing.
  await page.keyboard.press('ArrowLeft');
  await waitForNextCard(page, first);
  await expect.poll(() => decisionsOf(server, me)).toEqual([`pass ${first}`]);
});

test('before the animation library is loaded a swipe, a button and a key decide; then the card follows the finger', async ({
  phoneA,
  server,
}) => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await phoneA.route('**/assets/CardMover-*.js', async (route) => {
    await released;
    await route.continue();
  });
  const { page, me, finger } = await openDeck(phoneA, server, 'Bea', 'Cleo', 'Dan', 'Eve', 'Finn');
  const names: string[] = [];
  for (const decide of [
    () => finger.swipe(top(page), { x: 170, y: 12 }),
    () => page.getByRole('button', { name: 'Pass' }).click(),
    () => page.keyboard.press('s'),
  ]) {
    const name = await topCardName(page);
    names.push(name);
    await decide();
    await waitForNextCard(page, name);
  }
  await expect(top(page)).toHaveCSS('cursor', 'auto');
  await expect(page.locator('.hw-card-leave'), 'no card waits for its exit').toHaveCount(0);
  await focusDeck(page);
  const last = await topCardName(page);

  release();
  await waitForMotion(page);
  await expect(page.getByRole('group', { name: 'Matches for you' })).toBeFocused();
  await finger.down(await centreOf(top(page)));
  await finger.move({ x: 80, y: 0 }, 800);
  await expect.poll(async () => isAtRest(await matrixOf(page))).toBe(false);
  await finger.up();
  await expect.poll(async () => isAtRest(await matrixOf(page))).toBe(true);
  await expect(top(page)).toContainText(`${last},`);
  await expect
    .poll(async () => (await decisionsOf(server, me)).sort())
    .toEqual([`like ${names[0]}`, `pass ${names[1]}`, `super_like ${names[2]}`].sort());
});

test("a touch that starts in the outer 24 px is left to the system's gestures", async ({
  phoneA,
  server,
}) => {
  const { page, me, finger } = await openDeck(phoneA, server, 'Bea', 'Cleo');
  const first = await topCardName(page);
  const { y } = await centreOf(top(page));
  for (const [x, dx] of [
    [20, 200],
    [370, -200],
  ] as const) {
    await finger.down({ x, y });
    await finger.move({ x: dx, y: 0 }, 200);
    expect(isAtRest(await matrixOf(page))).toBe(true);
    await finger.up();
  }
  await expect(top(page)).toContainText(`${first},`);
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => decisionsOf(server, me)).toEqual([`like ${first}`]);
});

/** Scrolls until the page rests at its end; the momentum of a touch may still move it. */
const scrollToEnd = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        let atEnd = 0;
        const checkFrame = () => {
          const { scrollHeight } = document.documentElement;
          atEnd = scrollY + innerHeight >= scrollHeight - 1 ? atEnd + 1 : 0;
          if (atEnd >= 6) return resolve();
          scrollTo({ top: scrollHeight, behavior: 'instant' });
          requestAnimationFrame(checkFrame);
        };
        checkFrame();
      }),
  );

test('a vertical drag scrolls the page, and decides only when the page is scrolled to its end', async ({
  phoneA,
  server,
}) => {
  const { page, me, finger } = await openDeck(phoneA, server, 'Bea', 'Cleo');
  await page.setViewportSize({ width: 390, height: 480 });
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollHeight - innerHeight))
    .toBeGreaterThan(60);
  const first = await topCardName(page);
  const { x } = await centreOf(top(page));
  await finger.down({ x, y: 320 });
  await finger.move({ x: 4, y: -200 }, 250);
  await finger.up();
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(40);
  await expect(top(page)).toContainText(`${first},`);
  expect(isAtRest(await matrixOf(page))).toBe(true);

  await scrollToEnd(page);
  await finger.down({ x, y: 250 });
  await finger.move({ x: 4, y: -200 }, 150);
  await finger.up();
  await waitForNextCard(page, first);
  await expect.poll(() => decisionsOf(server, me)).toEqual([`super_like ${first}`]);
});

test('buttons and keys decide, and an empty deck can be refilled', async ({ phoneA, server }) => {
  const { page, me } = await openDeck(phoneA, server, 'Bea', 'Cleo', 'Dan', 'Eve', 'Finn', 'Gus');
  const actions: [string, () => Promise<void>][] = [
    ['like', () => page.getByRole('button', { name: 'Like', exact: true }).click()],
    ['pass', () => page.getByRole('button', { name: 'Pass' }).click()],
    ['super_like', () => page.getByRole('button', { name: 'Super like' }).click()],
    ['like', () => page.keyboard.press('ArrowRight')],
    ['pass', () => page.keyboard.press('ArrowLeft')],
    ['super_like', () => page.keyboard.press('s')],
  ];
  const expected: string[] = [];
  for (const [index, [decision, decide]] of actions.entries()) {
    await expect(page.getByText(`${index + 1} of 6 matches`)).toBeVisible();
    const name = await topCardName(page);
    expected.push(`${decision} ${name}`);
    await decide();
    if (index < 5) await waitForNextCard(page, name);
  }
  await expect(page.getByRole('heading', { name: 'No More Matches' })).toBeVisible();
  await expect.poll(async () => (await decisionsOf(server, me)).sort()).toEqual(expected.sort());

  await addPeople(server, 'Hana');
  await waitForCandidates(phoneA, 1);
  await page.getByRole('button', { name: 'Find More Matches' }).click();
  await expect(top(page)).toContainText('Hana,');
  await expect(page.getByText('1 of 1 matches')).toBeVisible();
});

test('with reduced motion the card stays in place and a swipe still decides', async ({ phoneA, server }) => {
  const { page, me, finger } = await openDeck(phoneA, server, 'Bea', 'Cleo');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.reload();
  const first = await topCardName(page);
  await waitForMotion(page);
  await focusDeck(page);
  await finger.down(await centreOf(top(page)));
  await finger.move({ x: 170, y: 0 }, 150);
  await expect(top(page).getByText('Like', { exact: true })).toHaveCSS('opacity', '1');
  expect(isAtRest(await matrixOf(page))).toBe(true);
  await finger.up();
  await waitForNextCard(page, first);
  await expect.poll(() => decisionsOf(server, me)).toEqual([`like ${first}`]);
});

test('a super like over a daily limit that the device does not know yet is kept for later and explained', async ({
  phoneA,
  server,
}) => {
  const { page, me } = await openDeck(phoneA, server, 'Bea', 'Cleo', 'Dan');
  const earlier = await addPeople(server, 'Una', 'Vic', 'Wes');
  await server.query(
    `INSERT INTO user_likes (id, from_user_id, to_user_id, like_type, created_at)
     SELECT gen_random_uuid(), $1, other, 'super_like', now() - interval '2 hours' FROM unnest($2::uuid[]) AS other`,
    [me.id, earlier.map(({ id }) => id)],
  );
  const first = await topCardName(page);
  await page.keyboard.press('s');
  await expect(page.getByText("You have used today's super likes")).toBeVisible();
  await expect(page.getByText("This one is kept, and we'll send it when you have new ones.")).toBeVisible();
  await waitForNextCard(page, first);
  const second = await topCardName(page);
  await page.keyboard.press('ArrowRight');
  await expect.poll(async () => (await decisionsOf(server, me)).slice(3)).toEqual([`like ${second}`]);
  await expect(page.getByText('Like sent!'), 'the card’s exit is the only feedback').toBeHidden();
});

test('super likes are counted down, and a super like over the limit returns the card and explains why', async ({
  phoneA,
  server,
}) => {
  const { page, me, finger } = await openDeck(phoneA, server, 'Bea', 'Cleo', 'Dan');
  const earlier = await addPeople(server, 'Una', 'Vic');
  await server.query(
    `INSERT INTO user_likes (id, from_user_id, to_user_id, like_type, created_at)
     SELECT gen_random_uuid(), $1, other, 'super_like', now() - interval '2 hours' FROM unnest($2::uuid[]) AS other`,
    [me.id, earlier.map(({ id }) => id)],
  );
  await page.reload();
  const first = await topCardName(page);
  await focusDeck(page);
  await expect(page.getByRole('button', { name: 'Super like, 1 left today' })).toBeVisible();
  await page.keyboard.press('s');
  await waitForNextCard(page, first);
  const noneLeftButton = page.getByRole('button', { name: 'Super like, none left today' });
  await expect(noneLeftButton).toBeVisible();

  const second = await topCardName(page);
  await finger.swipe(top(page), { x: 10, y: -200 });
  await expect(page.getByText("You're out of super likes")).toBeVisible();
  await expect(page.getByText(/^Your next one arrives (today|tomorrow) at \d+:\d\d [AP]M\./)).toBeVisible();
  await expect.poll(async () => isAtRest(await matrixOf(page))).toBe(true);
  await noneLeftButton.click();
  await expect(top(page)).toContainText(`${second},`);
  await page.keyboard.press('ArrowRight');
  await waitForNextCard(page, second);
  await expect
    .poll(async () => (await decisionsOf(server, me)).slice(2))
    .toEqual([`super_like ${first}`, `like ${second}`]);
});
