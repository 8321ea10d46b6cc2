import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { discard } from '@/offline/outbox/rejectedRows.ts';
import { useDb, useLive } from '@/offline/store/cached.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import type { OutboxRow } from '@/offline/store/rows.ts';
import { toastError } from '@/ui';

const decisions: OutboxRow['kind'][] = ['like', 'pass', 'unpass'];

/** Returns the likes, passes and undone passes that the server rejected. */
const readRejected = (db: HeartwardDb): Promise<OutboxRow[]> =>
  db.outbox.filter(({ state, kind }) => state === 'failed' && decisions.includes(kind)).toArray();

/**
 * Reports each rejected like or pass with a toast and deletes its row, because the member cannot retry it. Rows are
 * read from the outbox, so that those rejected while no page was open are reported too.
 */
export function useRejectedDecisions(): void {
  const db = useDb();
  const client = useQueryClient();
  const rejected = useLive(readRejected);
  useEffect(() => {
    for (const row of rejected ?? []) report(db, row, client).catch(() => undefined);
  }, [rejected, client, db]);
}

const errorTexts: Partial<Record<OutboxRow['kind'], string>> = {
  like: 'Failed to send like. Please try again.',
  pass: 'Failed to pass. Please try again.',
  unpass: 'Failed to take the pass back. Please try again.',
};

async function report(db: HeartwardDb, row: OutboxRow, client: QueryClient): Promise<void> {
  if (!(await discard(db, row.clientId))) return;
  const like = row.body.kind === 'like' ? row.body : null;
  const errorText = errorTexts[row.body.kind];
  // A 403 has a reason for the member, such as a profile that is not shown.
  const description = (row.status === 403 && row.reason) || errorText;
  toastError(description);
  if (like) await db.feed.update(['discover', like.toUserId], { liked: undefined });
  // The member returns to the lists from which the decision had removed them.
  for (const list of ['feed', 'likes', 'passes'])
    await client.invalidateQueries({ queryKey: ['refresh', list] });
}
