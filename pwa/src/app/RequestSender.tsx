import { type ReactNode, useMemo } from 'react';
import { fetchMember, readMember } from '@/domain/memberCache.ts';
import { MemberSummary } from '@/features/messaging/MemberSummary.tsx';
import { useCached, useLive } from '@/offline/store/cached.ts';
import { readConversation } from '@/offline/sync/sync.ts';
import { Skeleton } from '@/ui';

/**
 * Returns the profile of the sender of a received request, drawn as the first item of its thread, and undefined for any
 * other conversation. `anyId` is the conversation's or the other member's. The element changes only with the sender,
 * because it makes every bubble of the thread render again.
 */
export function useRequestSender(anyId: string | undefined): ReactNode {
  const userId = useLive(
    async (db) => {
      const found = anyId && (await readConversation(db, anyId));
      return found && found.request === 'received' ? found.userId : null;
    },
    [anyId],
  );
  return useMemo(() => (userId ? <RequestSender key={userId} userId={userId} /> : undefined), [userId]);
}

function RequestSender({ userId }: { userId: string }) {
  const { data, state } = useCached({
    key: ['profile', userId],
    read: (db) => readMember(db, userId),
    refresh: (db) => fetchMember(db, userId),
  });
  if (!data) return state === 'loading' ? <Skeleton className="mt-4 h-56 rounded-card" /> : null;
  return (
    <div className="pt-4">
      <MemberSummary member={data.member} />
    </div>
  );
}
