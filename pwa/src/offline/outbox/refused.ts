/** What the member does with a row that the server refused: sends it again, or drops it. */
import { v7 as uuidv7 } from 'uuid';
import { getDb, type HeartwardDb } from '../store/db.ts';
import { type BlobRow, type OutboxRow, WAITING_ORDER } from '../store/rows.ts';
import { filesOf, withoutFileIds } from './attachments.ts';
import { kick } from './outbox.ts';

/** Sends a refused row again, as the newest of its conversation; its files travel anew. */
export async function retry(clientId: string): Promise<void> {
  const db = getDb();
  let left: BlobRow[] = [];
  await db.transaction('rw', db.outbox, db.messages, db.blobs, async () => {
    const row = await db.outbox.get(clientId);
    if (row?.state !== 'failed') return;
    const localSeq = ((await db.outbox.orderBy('localSeq').last())?.localSeq ?? 0) + 1;
    // 409: the server knows this id with another text, so it needs a new one.
    const nextId = row.status === 409 ? uuidv7() : clientId;
    const { reason: _reason, status: _status, ...rest } = withoutFileIds(row);
    left = await blobsOf(db, row).toArray();
    await blobsOf(db, row).modify(dropUpload);
    await db.outbox.delete(clientId);
    await db.outbox.put({
      ...rest,
      clientId: nextId,
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
    await db.messages.put({ ...bubble, clientId: nextId, state: 'waiting', order: WAITING_ORDER + localSeq });
  });
  abandonUploads(db, left);
  kick({ eager: true });
}

/** Deletes a refused row, on the member's request or after they were told. Returns true to the caller that deleted it. */
export async function discard(clientId: string): Promise<boolean> {
  const db = getDb();
  let left: BlobRow[] = [];
  const dropped = await db.transaction('rw', db.outbox, db.messages, db.blobs, async () => {
    const row = await db.outbox.get(clientId);
    if (row?.state !== 'failed') return false;
    left = await blobsOf(db, row).toArray();
    await blobsOf(db, row).delete();
    await db.outbox.delete(clientId);
    if (row.kind === 'message') await db.messages.delete([row.userId, clientId]);
    return true;
  });
  abandonUploads(db, left);
  return dropped;
}

const blobsOf = (db: HeartwardDb, row: OutboxRow) =>
  db.blobs.where('id').anyOf(filesOf(row).map(({ localId }) => localId));

/** The server takes only so many uploads at a time: those that will not go on make room. */
function abandonUploads(db: HeartwardDb, left: BlobRow[]): void {
  if (!left.some(({ uploadUrl, posterUploadUrl }) => uploadUrl ?? posterUploadUrl)) return;
  void import('./upload.ts').then(({ abandon }) => abandon(db.memberId, left)).catch(() => undefined);
}

function dropUpload(row: BlobRow): void {
  delete row.uploadUrl;
  delete row.posterUploadUrl;
}
