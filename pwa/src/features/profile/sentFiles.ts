/** What follows the result of a file of the profile, which the outbox has sent. */
import type { Recording } from '@/api/types.ts';
import { isAwaited } from '@/offline/outbox/awaited.ts';
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
 * stored the file. A rejected one is deleted. A picture is shown with its state by the screens of the profile.
 */
export async function handleSentFile(db: HeartwardDb, result: Settled): Promise<void> {
  const { clientId, body } = result.row;
  if (body.kind !== 'profileFile' || isPicture(body) || isAwaited(db, clientId)) return;
  if (!result.ok) {
    await dropProfileFile(db, clientId);
    toastError(result.reason);
    return;
  }
  if (body.question) addVoice(db, body.question, result.response as Recording);
  toast({ title: body.path.endsWith('/selfie') ? 'Selfie sent' : 'Recording saved' });
}

/** Handles files that were rejected when no page could, as by the worker. Those of this tab's screens are left to them. */
export async function handleRejectedFiles(db: HeartwardDb): Promise<void> {
  for (const row of await readRejected(db))
    await handleSentFile(db, { row, ok: false, status: row.status ?? 0, reason: row.reason ?? '' });
}

const readRejected = (db: HeartwardDb): Promise<OutboxRow[]> =>
  db.outbox.filter(({ kind, state }) => kind === 'profileFile' && state === 'failed').toArray();
