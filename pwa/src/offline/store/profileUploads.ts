/** The table of profile files that versions 4 to 6 of the database had: its rows are now rows of the outbox. */
import type { OutboxRow, ProfileFile } from './rows.ts';

export type ProfileUploadRow = Omit<ProfileFile, 'kind'> & {
  id: string;
  createdAt: number;
  /** Why the server has rejected the file. */
  failure?: string;
};

/**
 * Returns the rows of the outbox for the files that wait, in their order, after the row with `lastSeq`. A rejected one
 * keeps its reason. The bytes stay where they are.
 */
export const rowsOfProfileUploads = (
  uploads: readonly ProfileUploadRow[],
  userId: string,
  lastSeq: number,
): OutboxRow[] =>
  [...uploads]
    .sort((a, b) => a.createdAt - b.createdAt)
    .map(({ id, createdAt, failure, ...file }, index) => ({
      clientId: id,
      userId,
      conversationId: null,
      localSeq: lastSeq + index + 1,
      kind: 'profileFile',
      body: { kind: 'profileFile', ...file },
      state: failure === undefined ? 'queued' : 'failed',
      attempts: 0,
      nextAt: 0,
      retryAfterLocked: false,
      createdAt,
      revision: 0,
      ...(failure !== undefined && { reason: failure }),
    }));
