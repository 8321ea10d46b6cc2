import type { Locator, Page } from '@playwright/test';
import type { Server } from './server.ts';

/** The messages of the open conversation. */
export const thread = (page: Page): Locator => page.getByRole('region', { name: /^Messages with/ });

/**
 * Turns the mouse wheel over a scrolling element until `arrived` resolves to true. Waits for the end of each scroll, so
 * that nothing scrolls afterwards. Throws after 100 turns.
 */
export async function scrollUntil(
  scroller: Locator,
  step: number,
  arrived: () => Promise<boolean>,
): Promise<void> {
  await scroller.hover();
  for (let turn = 0; turn < 100; turn += 1) {
    const wheel = await scroller.evaluateHandle(prepareWheel);
    await scroller.page().mouse.wheel(0, step);
    await wheel.evaluate(({ received }) => received);
    await scroller.evaluate(waitForScrollEnd);
    if (await arrived()) return;
  }
  throw new Error('the condition is not met after scrolling 100 times');
}

/**
 * In the page: listens to the next turn of the wheel. The listener is not passive, so that nothing scrolls before it has
 * run: a slow browser cannot scroll after the end of the scroll was awaited.
 */
function prepareWheel(element: Element): { received: Promise<void> } {
  const received = new Promise<void>((resolve) => {
    element.addEventListener('wheel', () => resolve(), { once: true, passive: false });
  });
  return { received };
}

/** In the page: resolves when the element has rested for 12 frames. */
function waitForScrollEnd(element: Element): Promise<void> {
  return new Promise((resolve) => {
    let last = element.scrollTop;
    let same = 0;
    const checkFrame = () => {
      const now = element.scrollTop;
      same = now === last ? same + 1 : 0;
      last = now;
      if (same >= 12) resolve();
      else requestAnimationFrame(checkFrame);
    };
    requestAnimationFrame(checkFrame);
  });
}

/** Whether any part of the element is drawn and in view. */
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

/** The text of one message. */
export const bubble = (page: Page, text: string): Locator =>
  page.getByTestId('bubble-text').getByText(text, { exact: true });

/** The whole row of one message: bubble, quote, reactions, options. */
export const messageOf = (page: Page, text: string): Locator =>
  page.locator('[data-client-id]').filter({ has: bubble(page, text) });

/** Opens the menu of one message. */
export async function openMenu(page: Page, text: string): Promise<void> {
  await messageOf(page, text)
    .getByRole('button', { name: /^Options for/ })
    .press('Enter');
}

/** Inserts `count` messages, a minute apart: the odd ones by `one`, the even ones by `other`. */
export async function insertMessages(
  server: Server,
  one: string,
  other: string,
  count: number,
): Promise<void> {
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

/** Marks all messages as delivered and read on both sides. */
export async function markAllRead(server: Server, one: string): Promise<void> {
  await server.query(
    `UPDATE conversations SET a_read_seq = last_seq, a_delivered_seq = last_seq, b_read_seq = last_seq,
       b_delivered_seq = last_seq WHERE $1 IN (user_a, user_b)`,
    [one],
  );
}
