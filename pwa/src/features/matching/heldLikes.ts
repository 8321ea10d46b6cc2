import { useEffect } from 'react';
import { useLive } from '@/offline/store/cached.ts';
import { toast } from '@/ui';

/** A shorter wait passes unnoticed. */
const WORTH_TELLING_MS = 5 * 60_000;

/** Says when the day's likes are used up: the like is kept and goes out when the server takes it. */
export function useHeldLikes(): void {
  const held = useLive(async (db) => {
    const rows = await db.outbox.filter((row) => row.kind === 'like' && row.held).toArray();
    const late = rows.find((row) => row.nextAt > Date.now() + WORTH_TELLING_MS);
    return late?.body.kind === 'like' ? late.body.likeType : null;
  });
  useEffect(() => {
    if (!held) return;
    const what = held === 'super_like' ? 'super likes' : 'likes';
    toast({
      title: `You have used today's ${what}`,
      description: "This one is kept, and we'll send it when you have new ones.",
    });
  }, [held]);
}
