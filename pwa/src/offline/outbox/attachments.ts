/**
 * The files of a message in the outbox. They travel before the message does, one by one, and only from a page:
 * the worker has no time for megabytes, so there a message waits until its files are at the server.
 */
import type { Attachment } from '../../api/types.ts';
import type { BlobRow, LocalAttachment, OutboxRow } from '../store/rows.ts';
import type { TableName, Tx } from '../store/tx.ts';

export const filesOf = (row: OutboxRow): LocalAttachment[] =>
  row.body.kind === 'message' ? (row.body.attachments ?? []) : [];

export const waitsForFiles = (row: OutboxRow): boolean => filesOf(row).some(({ fileId }) => !fileId);

/** What a change of this row touches; a database of an older version of the app has no table of files. */
export const fileTables = (row: OutboxRow): TableName[] => (filesOf(row).length > 0 ? ['blobs'] : []);

/** The row with one file's number at the server, or with none where the server has forgotten them. */
export function withFileId(row: OutboxRow, localId: string, fileId: string): OutboxRow {
  return withFiles(row, (file) => (file.localId === localId ? { ...file, fileId } : file));
}

export const withoutFileIds = (row: OutboxRow): OutboxRow => withFiles(row, ({ fileId: _, ...file }) => file);

function withFiles(row: OutboxRow, change: (file: LocalAttachment) => LocalAttachment): OutboxRow {
  if (row.body.kind !== 'message' || !row.body.attachments) return row;
  return { ...row, body: { ...row.body, attachments: row.body.attachments.map(change) } };
}

/** The next upload of these files starts at their first byte. */
export async function resetUploads(tx: Tx, row: OutboxRow): Promise<void> {
  for (const { localId } of filesOf(row)) {
    const stored = await tx.get('blobs', localId);
    if (stored) await tx.put('blobs', withoutUpload(stored));
  }
}

/** The server has the message: what was sent stays for listening without a network, under the server's number. */
export async function storeSentFiles(tx: Tx, row: OutboxRow, now: number): Promise<void> {
  for (const { localId, fileId } of filesOf(row)) {
    const stored = await tx.get('blobs', localId);
    if (!stored || !fileId) continue;
    await tx.put('blobs', { ...withoutUpload(stored), id: fileId, keep: 'sent', usedAt: now });
    await tx.delete('blobs', localId);
  }
}

function withoutUpload({ uploadUrl: _, posterUploadUrl: __, ...stored }: BlobRow): BlobRow {
  return stored;
}

/** A file on its way in the shape of those that have arrived: without an address, it is found on the device. */
export const asAttachment = ({ localId, fileId: _, ...file }: LocalAttachment): Attachment => ({
  ...file,
  id: localId,
  url: '',
  thumbUrl: null,
  posterUrl: null,
});
