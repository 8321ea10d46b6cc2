import { isAwaited, isAwaitedElsewhere } from '@/offline/outbox/awaited.ts';
import type { Settled } from '@/offline/outbox/outbox.ts';
import { senderOf } from '@/offline/outbox/sender.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { refreshMe } from '@/session/session.ts';

/**
 * What follows the result of a file of the profile. A screen that waits for it shows it; otherwise the leading tab says
 * what became of the file. Both are read at once, because the screen waits no longer when the module is loaded.
 */
export async function followSentFile(db: HeartwardDb, result: Settled, isOwn: boolean): Promise<void> {
  const { clientId } = result.row;
  // The waiting screen also fetches the own profile.
  if (isAwaited(db, clientId)) return;
  // The tab that sends a file has done this before the row was removed.
  if (!isOwn) void refreshMe();
  const announces = senderOf(db).isLeader && !(await isAwaitedElsewhere(clientId));
  await (await import('@/features/profile/sentFiles.ts')).handleSentFile(db, result, announces);
}
