import { useCallback, useEffect, useMemo, useState } from 'react';
import { useDb } from '@/offline/store/cached.ts';
import { fetchDelta } from '@/offline/sync/sync.ts';

export type NewestMessages = {
  /** Why the messages could not be fetched; null while they are being fetched for the first time, and afterwards. */
  error: unknown;
  retry: () => Promise<void>;
};

/** Fetches the messages after those on the device when a conversation opens. Later ones arrive by the socket. */
export function useNewestMessages(conversationId: string): NewestMessages {
  const db = useDb();
  const [error, setError] = useState<unknown>(null);
  const retry = useCallback(async () => {
    try {
      await fetchDelta(db, conversationId);
      setError(null);
    } catch (failure) {
      setError(failure);
    }
  }, [conversationId, db]);
  useEffect(() => void retry(), [retry]);
  return useMemo(() => ({ error, retry }), [error, retry]);
}
