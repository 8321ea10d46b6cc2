import { useQuery } from '@tanstack/react-query';
import { useDb, useFailure } from '@/offline/store/cached.ts';
import { findConversation } from '@/offline/sync/sync.ts';
import { cachedConversation } from './threadCache.ts';

/** Finds the conversation of a member, match or conversation id; `id` is undefined while loading, null if none. */
export function useConversationId(anyId: string | undefined) {
  const db = useDb();
  const query = useQuery({
    queryKey: ['conversation-id', anyId ?? ''],
    queryFn: () => findConversation(db, anyId ?? ''),
    // A conversation of the list opens without a read of the database.
    initialData: () => cachedConversation(db, anyId)?.id,
    enabled: anyId !== undefined,
    // Not cached, because the members may have matched since.
    gcTime: 0,
    networkMode: 'always',
  });
  return { id: query.data, error: useFailure(query), refetch: query.refetch };
}

export type FoundConversation = ReturnType<typeof useConversationId>;
