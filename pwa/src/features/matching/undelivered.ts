import { useEffect } from 'react';
import { useDb, useLive } from '@/offline/store/cached.ts';
import { deleteMeta, getMeta } from '@/offline/store/meta.ts';
import { toast } from '@/ui';

/** Shows a toast when a match ended before all messages in the outbox were delivered. */
export function useUndeliveredNotice(): void {
  const db = useDb();
  const undelivered = useLive((db) => getMeta(db, 'undelivered'));
  useEffect(() => {
    if (!undelivered) return;
    toast({
      title: 'A match has ended',
      description: 'Your unsent messages were not delivered.',
    });
    deleteMeta(db, 'undelivered').catch(() => undefined);
  }, [undelivered, db]);
}
