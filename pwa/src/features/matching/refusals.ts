import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { discard } from '@/offline/outbox/refused.ts';
import { useLive } from '@/offline/store/cached.ts';
import { getDb, type HeartwardDb } from '@/offline/store/db.ts';
import type { OutboxRow } from '@/offline/store/rows.ts';
import { toastError } from '@/ui';

const decisions: OutboxRow['kind'][] = ['like', 'pass', 'unpass'];

/** Likes, passes and passes taken back that the server refused. */
const readRefused = (db: HeartwardDb): Promise<OutboxRow[]> =>
  db.outbox.filter(({ state, kind }) => state === 'failed' && decisions.includes(kind)).toArray();

/**
 * Nothing can be decided about a refused like or pass: it is told once, and the row goes. Read from the outbox,
 * so that one refused while no page was open is told as well.
 */
export function useRefusals(): void {
  const client = useQueryClient();
  const refused = useLive(readRefused);
  useEffect(() => {
    for (const row of refused ?? []) tell(row, client).catch(() => undefined);
  }, [refused, client]);
}

const usually: Partial<Record<OutboxRow['kind'], string>> = {
  like: 'Failed to send like. Please try again.',
  pass: 'Failed to pass. Please try again.',
  unpass: 'Failed to take the pass back. Please try again.',
};

async function tell(row: OutboxRow, client: QueryClient): Promise<void> {
  if (!(await discard(row.clientId))) return;
  const like = row.body.kind === 'like' ? row.body : null;
  const usual = usually[row.body.kind];
  // 403 names what stands in the way (the member's own profile is not shown).
  const description = (row.status === 403 && row.reason) || usual;
  toastError(description);
  if (like) await getDb().feed.update(['discover', like.toUserId], { liked: undefined });
  // Whoever was taken off a list because of it is on it again.
  for (const list of ['feed', 'likes', 'passes'])
    await client.invalidateQueries({ queryKey: ['refresh', list] });
}
