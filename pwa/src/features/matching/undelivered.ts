import { useEffect } from 'react';
import { useLive } from '@/offline/store/cached.ts';
import { getDb } from '@/offline/store/db.ts';
import { UNDELIVERED_KEY } from '@/offline/store/purge.ts';
import { toast } from '@/ui';

/** Says it when the other side ended a match before something written to them was sent. */
export function useUndelivered(): void {
  const undelivered = useLive(async (db) => (await db.meta.get(UNDELIVERED_KEY)) !== undefined);
  useEffect(() => {
    if (!undelivered) return;
    toast({
      title: 'A match has ended',
      description: 'What you had written and was not sent yet was not delivered.',
    });
    getDb()
      .meta.delete(UNDELIVERED_KEY)
      .catch(() => undefined);
  }, [undelivered]);
}
