/** What follows the result of a file of the profile, which the outbox has sent. */
import type { Recording } from '@/api/types.ts';
import { isAwaited, isAwaitedElsewhere } from '@/offline/outbox/awaited.ts';
import type { Settled } from '@/offline/outbox/outbox.ts';
import { dropProfileFile } from '@/offline/outbox/profileFile.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import type { OutboxRow, ProfileFile } from '@/offline/store/rows.ts';
import { toast, toastError } from '@/ui';
import { pictureTargets } from './profileUpload.ts';
import { addVoice } from './storedDraft.ts';

const isPicture = ({ path }: ProfileFile): boolean =>
  Object.values(pictureTargets).some((target) => target.path === path);

/**
 * Says in a toast what became of a recording or selfie whose screen is gone, because it was closed or another page has
 * stored the file, if this tab `announces` it. A rejected one is deleted. A picture is shown with its state by the screens
 * of the profile.
 */
export async function handleSentFile(db: HeartwardDb, result: Settled, announces: boolean): Promise<void> {
  const { clientId, body } = result.row;
  if (body.kind !== 'profileFile' || isPicture(body)) return;
  // Each tab has a draft of its own.
  if (result.ok && body.question) addVoice(db, body.question, result.response as Recording);
  if (!announces) return;
  if (result.ok) toast({ title: body.path.endsWith('/selfie') ? 'Selfie sent' : 'Recording saved' });
  else if (await dropProfileFile(db, clientId)) toastError(result.reason);
}

/** Handles files that were rejected when no page could, as by the worker. Those that a screen waits for are left to it. */
export async function handleRejectedFiles(db: HeartwardDb): Promise<void> {
  for (const row of await readRejected(db)) {
    if (isAwaited(db, row.clientId) || (await isAwaitedElsewhere(row.clientId))) continue;
    await handleSentFile(db, { row, ok: false, status: row.status ?? 0, reason: row.reason ?? '' }, true);
  }
}

const readRejected = (db: HeartwardDb): Promise<OutboxRow[]> =>
  db.outbox.filter(({ kind, state }) => kind === 'profileFile' && state === 'failed').toArray();
