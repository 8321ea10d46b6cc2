/** The member's choices for a row that the server has rejected: send it again, or discard it. */
import { v7 as uuidv7 } from 'uuid';
import type { HeartwardDb } from '../store/db.ts';
import { deleteFiles } from '../store/fileRows.ts';
import { type FileRow, type OutboxRow, WAITING_ORDER } from '../store/rows.ts';
import { filesOf, withoutFileIds } from './attachments.ts';
import { senderOf } from './sender.ts';

/** Sends a rejected row again, as the newest of its conversation. Its files are uploaded again. */
export async function retry(db: HeartwardDb, clientId: string): Promise<void> {
  let files: FileRow[] = [];
  await db.transaction('rw', db.outbox, db.messages, db.files, async () => {
    const row = await db.outbox.get(clientId);
    if (row?.state !== 'failed') return;
    const localSeq = ((await db.outbox.orderBy('localSeq').last())?.localSeq ?? 0) + 1;
    // 409: the server has a message with this id and another text, so the row needs a new id.
    const newId = row.status === 409 && row.kind !== 'profileFile' ? uuidv7() : clientId;
    const { reason: _reason, status: _status, ...rest } = withoutFileIds(row);
    files = await storedFilesOf(db, row).toArray();
    await storedFilesOf(db, row).modify(clearUploadUrls);
    await db.outbox.delete(clientId);
    await db.outbox.put({
      ...rest,
      clientId: newId,
      localSeq,
      state: 'queued',
      attempts: 0,
      nextAt: 0,
      retryAfterLocked: false,
    });
    const message = await db.messages.get([row.userId, clientId]);
    if (!message) return;
    const { reason: _old, ...bubble } = message;
    await db.messages.delete([row.userId, clientId]);
    await db.messages.put({ ...bubble, clientId: newId, state: 'waiting', order: WAITING_ORDER + localSeq });
  });
  cancelOpenUploads(db, files);
  senderOf(db).kick({ eager: true });
}

/** Deletes a rejected row, on the member's request or after it was reported. Returns whether this call deleted it. */
export async function discard(db: HeartwardDb, clientId: string): Promise<boolean> {
  let files: FileRow[] = [];
  const deleted = await db.transaction('rw', db.outbox, db.messages, db.files, db.blobs, async () => {
    const row = await db.outbox.get(clientId);
    if (row?.state !== 'failed') return false;
    files = await storedFilesOf(db, row).toArray();
    await deleteFiles(db, storedFilesOf(db, row));
    await db.outbox.delete(clientId);
    if (row.kind === 'message') await db.messages.delete([row.userId, clientId]);
    return true;
  });
  cancelOpenUploads(db, files);
  return deleted;
}

const storedFilesOf = (db: HeartwardDb, row: OutboxRow) =>
  db.files.where('id').anyOf(filesOf(row).map(({ localId }) => localId));

/** Cancels uploads on the server, which limits the number of open uploads. */
function cancelOpenUploads(db: HeartwardDb, files: FileRow[]): void {
  if (!files.some(({ uploadUrl, posterUploadUrl }) => uploadUrl ?? posterUploadUrl)) return;
  void import('./upload.ts')
    .then(({ cancelUploads }) => cancelUploads(db.memberId, files))
    .catch(() => undefined);
}

function clearUploadUrls(row: FileRow): void {
  delete row.uploadUrl;
  delete row.posterUploadUrl;
}
