/** The shares of the member's moments in the `meta` table, as page and service worker store them. */
import type { MetaRow } from './meta.ts';
import type { Tx } from './tx.ts';

/** Stores the server's number of shares of a moment. Does nothing if the moment is not on the device. */
export async function mergeShares(tx: Tx, momentId: string, shareCount: number): Promise<void> {
  const row = (await tx.get('meta', 'moments')) as Extract<MetaRow, { key: 'moments' }> | undefined;
  if (!row) return;
  const items = row.value.items.map((item) => (item.id === momentId ? { ...item, shareCount } : item));
  await tx.put('meta', { key: 'moments', value: { ...row.value, items } });
}
