import { randomUUID } from 'node:crypto';
import type { BrowserContext, Page } from '@playwright/test';
import { centreOf, Finger } from './support/finger.ts';
import { addPeople } from './support/people.ts';
import { join, newPhone } from './support/phones.ts';
import type { Server } from './support/server.ts';
import { expect, test } from './support/test.ts';

/** Adds matches of a member, each with one message: the first name is the newest. */
async function addWriters(server: Server, memberId: string, ...names: string[]): Promise<void> {
  for (const [minutes, name] of names.entries()) {
    const [peer] = await addPeople(server, name);
    const [match, conversation] = [randomUUID(), randomUUID()];
    await server.query(
      `INSERT INTO matches (id, user_a, user_b) VALUES ($1, least($2::uuid, $3), greatest($2::uuid, $3))`,
      [match, memberId, peer?.id],
    );
    await server.query(
      `INSERT INTO conversations (id, user_a, user_b, match_id, last_seq, last_message_at, last_sender)
       VALUES ($1, least($3::uuid, $4), greatest($3::uuid, $4), $2, 1, now() - $5 * interval '1 minute', $4)`,
      [conversation, match, memberId, peer?.id, minutes + 1],
    );
    await server.query(
      `INSERT INTO messages (id, conversation_id, seq, sender_id, client_id, content, sent_at)
       VALUES (gen_random_uuid(), $1, 1, $2, gen_random_uuid(), 'Hello from me', now() - $3 * interval '1 minute')`,
      [conversation, peer?.id, minutes + 1],
    );
  }
}

/** Opens the list of conversations on a phone, and waits for the animation library, which the first touch loads. */
async function openList(phone: BrowserContext): Promise<Page> {
  const page = await phone.newPage();
  await page.goto('/messages');
  await expect(item(page, 'Ben')).toBeVisible();
  const library = page.waitForResponse(/\/assets\/motion-/);
  await page.keyboard.press('Shift');
  await library;
  return page;
}

const item = (page: Page, name: string) => page.getByRole('link', { name: new RegExp(`^${name}`) });
const options = (page: Page) => page.getByRole('button', { name: 'Options for the conversation with Ben' });
const sheet = (page: Page) => page.getByRole('dialog', { name: 'Ben' });
const order = (page: Page) =>
  page
    .locator('[data-scroll-box=conversations] li a')
    .evaluateAll((links) => links.map((link) => link.textContent?.match(/Ben|Cleo|Dora/)?.[0]));

/** Opens a sheet until the library moves it: it may be loaded a moment after its file. */
async function openMovedSheet(page: Page): Promise<void> {
  await expect(async () => {
    await options(page).click();
    await expect(sheet(page)).toBeVisible();
    const isMoved = (await sheet(page).getAttribute('data-moved')) !== null;
    if (!isMoved) await page.keyboard.press('Escape');
    expect(isMoved).toBe(true);
  }).toPass();
  await centreOf(sheet(page));
}

test('a member drags a sheet down by its head, which closes it, or springs back after a short drag', async ({
  phoneA,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Drag');
  await addWriters(server, ann.id, 'Ben');
  const page = await openList(phoneA);
  await openMovedSheet(page);
  const finger = await Finger.on(page);
  const title = sheet(page).getByRole('heading', { name: 'Ben' });
  const rest = await centreOf(title);
  await finger.down(rest);
  await finger.move({ x: 0, y: 40 }, 400);
  await expect.poll(async () => (await title.boundingBox())?.y).toBeGreaterThan(rest.y);
  // Held still, so that it is not a throw.
  await finger.move({ x: 0, y: 0 }, 400, 2);
  await finger.up();
  expect((await centreOf(title)).y).toBe(rest.y);
  await finger.down(rest);
  await finger.move({ x: 0, y: 120 }, 100);
  await finger.up();
  await expect(sheet(page)).toBeHidden();
  await expect(options(page), 'the focus returns').toBeFocused();
});

test('Escape closes a sheet at once, also while it comes, and the focus returns', async ({
  phoneA,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Escape');
  await addWriters(server, ann.id, 'Ben');
  const page = await openList(phoneA);
  await openMovedSheet(page);
  // In the page, in the task of the key.
  await page.evaluate(() =>
    addEventListener('keyup', () => {
      document.body.dataset.seen = `${document.querySelectorAll('dialog').length} ${document.activeElement?.ariaLabel}`;
    }),
  );
  await page.keyboard.press('Escape');
  const seen = '0 Options for the conversation with Ben';
  await expect(page.locator('body')).toHaveAttribute('data-seen', seen);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expect(sheet(page)).toHaveCount(0);
  await expect(options(page)).toBeFocused();
});

test('with reduced motion a sheet appears in its place and is gone at once', async ({ phoneA, server }) => {
  const ann = await join(phoneA, server, 'Ann Calm');
  await addWriters(server, ann.id, 'Ben');
  const page = await openList(phoneA);
  await openMovedSheet(page);
  await page.keyboard.press('Escape');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await options(page).click();
  await expect(sheet(page)).toBeVisible();
  expect(await sheet(page).getAttribute('data-moved')).toBeNull();
  expect(await sheet(page).evaluate((dialog) => getComputedStyle(dialog).transform)).toBe('none');
  await page.keyboard.press('Escape');
  await expect(sheet(page)).toBeHidden();
});

test('a conversation that is pinned moves up in the list, and the focus stays where it was', async ({
  phoneA,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann List');
  await addWriters(server, ann.id, 'Cleo', 'Dora', 'Ben');
  const page = await openList(phoneA);
  await expect.poll(() => order(page)).toEqual(['Cleo', 'Dora', 'Ben']);
  // A sheet that the library moves shows that it is loaded.
  await openMovedSheet(page);
  // Counts the rows that it moves.
  await page.evaluate(() => {
    const moved = new Set<Element>();
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...input) {
      if (this instanceof HTMLLIElement) moved.add(this);
      document.body.dataset.moved = String(moved.size);
      return animate.apply(this, input);
    };
  });
  await sheet(page).getByText('Pin to the top', { exact: true }).click();
  await expect(options(page)).toBeFocused();
  await expect.poll(() => order(page)).toEqual(['Ben', 'Cleo', 'Dora']);
  await expect(page.locator('body')).toHaveAttribute('data-moved', '3');
  await expect(options(page), 'the focus moves with its row').toBeFocused();
  // Another tab ends the pin, which moves the row with the focus.
  await item(page, 'Cleo').focus();
  const other = await phoneA.newPage();
  await other.goto('/messages');
  await options(other).click();
  await sheet(other).getByText('Unpin', { exact: true }).click();
  await expect.poll(() => order(page)).toEqual(['Cleo', 'Dora', 'Ben']);
  await expect(item(page, 'Cleo'), 'the focus is kept').toBeFocused();
  await expect
    .poll(() => item(page, 'Cleo').evaluate((link) => link.closest('li')?.style.transform), 'it is at rest')
    .toBe('');
});

test('on a computer a celebration is as wide as the window', async ({ browser, server }) => {
  const computer = await newPhone(browser, server.url, {
    viewport: { width: 1440, height: 900 },
    hasTouch: false,
    isMobile: false,
  });
  await join(computer, server, 'Ann Gutter');
  const page = await computer.newPage();
  await page.goto('/connection-sparks-demo');
  await page.getByRole('button', { name: "It's a Match!" }).click();
  const celebration = page.getByRole('dialog');
  await expect(celebration).toBeVisible();
  expect(await celebration.evaluate(({ clientWidth }) => innerWidth - clientWidth)).toBe(0);
  await computer.close();
});
