import { useEffect } from 'react';
import { useLive } from '@/offline/store/cached.ts';
import { toast } from '@/ui';

/** A like that waits for less than this time needs no notice. */
const NOTICE_DELAY_MS = 5 * 60_000;

/** Shows a toast when a like exceeds the daily limit and stays in the outbox until the server accepts it. */
export function useQueuedLikesNotice(): void {
  const queuedType = useLive(async (db) => {
    const rows = await db.outbox.filter((row) => row.kind === 'like' && row.retryAfterLocked).toArray();
    const late = rows.find((row) => row.nextAt > Date.now() + NOTICE_DELAY_MS);
    return late?.body.kind === 'like' ? late.body.likeType : null;
  });
  useEffect(() => {
    if (!queuedType) return;
    const what = queuedType === 'super_like' ? 'super likes' : 'likes';
    toast({
      title: `You have used today's ${what}`,
      description: "This one is kept, and we'll send it when you have new ones.",
    });
  }, [queuedType]);
}
