/**
 * The files of a row in the outbox. Those of a message are uploaded before the message is sent, one at a time, and only by a
 * page, because the browser limits the worker's time. In the worker a row waits until its files are uploaded.
 */
import type { Attachment } from '../../api/types.ts';
import type { FileRow, LocalAttachment, OutboxRow } from '../store/rows.ts';
import type { TableName, Tx } from '../store/tx.ts';
import { withoutUploads } from './profileFileBody.ts';

export const filesOf = (row: OutboxRow): LocalAttachment[] =>
  row.body.kind === 'message' ? (row.body.attachments ?? []) : [];

export const waitsForFiles = (row: OutboxRow): boolean =>
  row.body.kind === 'profileFile' ? !row.body.upload.id : filesOf(row).some(({ fileId }) => !fileId);

/** The tables that a change of this row needs beside the outbox. */
export function fileTables(row: OutboxRow): TableName[] {
  if (row.kind === 'profileFile') return ['profileFiles'];
  return filesOf(row).length > 0 ? ['files'] : [];
}

/** Returns the row with the server's id of one file. */
export function withFileId(row: OutboxRow, localId: string, fileId: string): OutboxRow {
  return withFiles(row, (file) => (file.localId === localId ? { ...file, fileId } : file));
}

/** Returns the row whose files are uploaded again. */
export const withoutFileIds = (row: OutboxRow): OutboxRow =>
  row.body.kind === 'profileFile'
    ? { ...row, body: withoutUploads(row.body) }
    : withFiles(row, ({ fileId: _, ...file }) => file);

function withFiles(row: OutboxRow, change: (file: LocalAttachment) => LocalAttachment): OutboxRow {
  if (row.body.kind !== 'message' || !row.body.attachments) return row;
  return { ...row, body: { ...row.body, attachments: row.body.attachments.map(change) } };
}

/** Makes the next uploads of the row's files start again at their first byte. */
export async function resetUploads(tx: Tx, row: OutboxRow): Promise<void> {
  for (const { localId } of filesOf(row)) {
    const stored = await tx.get('files', localId);
    if (stored) await tx.put('files', withoutUpload(stored));
  }
}

/** Stores the files of a sent message under the server's ids, for offline use. Their bytes stay where they are. */
export async function storeSentFiles(tx: Tx, row: OutboxRow, now: number): Promise<void> {
  for (const { localId, fileId } of filesOf(row)) {
    const stored = await tx.get('files', localId);
    if (!stored || !fileId) continue;
    await tx.put('files', { ...withoutUpload(stored), id: fileId, keep: 'sent', usedAt: now });
    await tx.delete('files', localId);
  }
}

function withoutUpload({ uploadUrl: _, posterUploadUrl: __, ...stored }: FileRow): FileRow {
  return stored;
}

/** Returns an unsent file as an attachment. It has no address, because its bytes are on the device. */
export const asAttachment = ({ localId, fileId: _, ...file }: LocalAttachment): Attachment => ({
  ...file,
  id: localId,
  url: '',
  thumbUrl: null,
  posterUrl: null,
});
