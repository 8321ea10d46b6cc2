/** Answers and texts of the own profile in the outbox, in page and service worker. */
import type { Me } from '../../api/types.ts';
import type { OutboxRow } from '../store/rows.ts';
import type { Tx } from '../store/tx.ts';

/** Whether the response to a row is the own profile. */
const isOfProfile = ({ kind }: OutboxRow): boolean => kind === 'start' || kind === 'profileTexts';

export const profileTables = (row: OutboxRow): ['me'] | [] => (isOfProfile(row) ? ['me'] : []);

/** Stores the profile that the server has answered with: the next start without a connection shows it. */
export async function storeProfile(tx: Tx, row: OutboxRow, response: unknown): Promise<void> {
  if (isOfProfile(row)) await tx.put('me', response as Me);
}
