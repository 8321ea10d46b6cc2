import { useQuery } from '@tanstack/react-query';
import { useFailure } from '@/offline/store/cached.ts';
import { getDb } from '@/offline/store/db.ts';
import { findConversation } from '@/offline/sync/sync.ts';
import { cachedConversation } from './threadCache.ts';

/** Finds the conversation of a member, match or conversation id; `id` is undefined while loading, null if none. */
export function useConversationId(anyId: string | undefined) {
  const query = useQuery({
    queryKey: ['conversation-id', anyId ?? ''],
    queryFn: () => findConversation(getDb(), anyId ?? ''),
    // A conversation of the list opens without a read of the database.
    initialData: () => cachedConversation(anyId)?.id,
    enabled: anyId !== undefined,
    // Not cached, because the members may have matched since.
    gcTime: 0,
    networkMode: 'always',
  });
  return { id: query.data, isError: useFailure(query) !== null, refetch: query.refetch };
}

export type FoundConversation = ReturnType<typeof useConversationId>;
