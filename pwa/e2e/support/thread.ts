import type { Locator, Page } from '@playwright/test';
import type { Server } from './server.ts';

/** The messages of the conversation that is open. */
export const thread = (page: Page): Locator => page.getByRole('region', { name: /^Messages with/ });

/**
 * Turns the wheel over a scrolling element until `arrived` resolves to true. It waits for the end of each turn, so
 * that nothing scrolls any more afterwards. Fails after 100 turns.
 */
export async function scrollUntil(
  scroller: Locator,
  step: number,
  arrived: () => Promise<boolean>,
): Promise<void> {
  await scroller.hover();
  for (let turn = 0; turn < 100; turn += 1) {
    const before = await scroller.evaluate((element) => element.scrollTop);
    await scroller.page().mouse.wheel(0, step);
    await scroller.evaluate(scrolledAndStill, before);
    if (await arrived()) return;
  }
  throw new Error('scrolled 100 times and did not arrive');
}

/** In the page: it moved away from `before`, which at an end it cannot within a second, and then not for 12 frames. */
function scrolledAndStill(element: Element, before: number): Promise<void> {
  const began = performance.now();
  return new Promise((resolve) => {
    let last = before;
    let same = 0;
    const look = () => {
      const now = element.scrollTop;
      same = now === last ? same + 1 : 0;
      last = now;
      const moved = now !== before || performance.now() - began > 1000;
      if (moved && same >= 12) resolve();
      else requestAnimationFrame(look);
    };
    look();
  });
}

/** Whether it is drawn and any part of it is in sight. */
export async function isInView(target: Locator): Promise<boolean> {
  const seen = await target.evaluateAll((found) =>
    Promise.all(
      found.map(
        (element) =>
          new Promise((resolve) => {
            const observer = new IntersectionObserver(([entry]) => {
              observer.disconnect();
              resolve(entry?.isIntersecting);
            });
            observer.observe(element);
          }),
      ),
    ),
  );
  return seen.includes(true);
}

/** The words of one message. */
export const bubble = (page: Page, text: string): Locator =>
  page.getByTestId('bubble-text').getByText(text, { exact: true });

/** All that belongs to one message: bubble, quote, reactions, options. */
export const messageOf = (page: Page, text: string): Locator =>
  page.locator('[data-client-id]').filter({ has: bubble(page, text) });

/** What can be done with one message. */
export async function openMenu(page: Page, text: string): Promise<void> {
  await messageOf(page, text)
    .getByRole('button', { name: /^Options for/ })
    .press('Enter');
}

/** Fills the conversation of the two as if they had written for weeks: odd by one, even by the other. */
export async function writeMany(server: Server, one: string, other: string, count: number): Promise<void> {
  await server.query(
    `INSERT INTO messages (id, conversation_id, seq, sender_id, client_id, content, sent_at)
     SELECT gen_random_uuid(), c.id, n, CASE n % 2 WHEN 1 THEN $1::uuid ELSE $2::uuid END, gen_random_uuid(),
       'message ' || n, now() - ($3 - n) * interval '1 minute'
     FROM conversations c, generate_series(1, $3::int) AS n WHERE $1 IN (c.user_a, c.user_b)`,
    [one, other, count],
  );
  await server.query(
    `UPDATE conversations SET last_seq = $2, last_message_at = now(), changed_xid = pg_current_xact_id()
     WHERE $1 IN (user_a, user_b)`,
    [one, count],
  );
}

/** Everything was read by both. */
export async function allRead(server: Server, one: string): Promise<void> {
  await server.query(
    `UPDATE conversations SET a_read_seq = last_seq, a_delivered_seq = last_seq, b_read_seq = last_seq,
       b_delivered_seq = last_seq WHERE $1 IN (user_a, user_b)`,
    [one],
  );
}
