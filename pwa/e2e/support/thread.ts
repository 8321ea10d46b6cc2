import type { Locator, Page } from '@playwright/test';
import type { Server } from './server.ts';

/** The messages of the conversation that is open. */
export const thread = (page: Page): Locator => page.getByRole('region', { name: /^Messages with/ });

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
