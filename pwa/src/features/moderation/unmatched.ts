import type { Settled } from '@/offline/outbox/outbox.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { purgeMember } from '@/offline/store/purge.ts';
import { toastError } from '@/ui';

/** Removes the member from this device once a match has ended, or had ended before; reports an end that was refused. */
export async function handleUnmatched(db: HeartwardDb, result: Settled): Promise<void> {
  const { body } = result.row;
  if (body.kind !== 'unmatch') return;
  if (result.ok || result.status === 404) await purgeMember(db, body.userId);
  else toastError(result.reason, 'The match has not ended');
}
