/** What is shown while a conversation is loading. */
import { Skeleton } from '@/ui';
import { BackToList } from './BackToList.tsx';

export function ConversationSkeleton() {
  return (
    <>
      <div className="flex min-h-16 items-center border-line border-b bg-surface px-2 pt-safe md:px-4">
        <BackToList />
        <div className="flex items-center gap-3 px-3 md:px-1">
          <Skeleton className="size-9 rounded-full" />
          <Skeleton className="h-4 w-28" />
        </div>
      </div>
      <div className="flex flex-1 flex-col justify-end p-3">
        <ThreadSkeleton />
      </div>
    </>
  );
}

export const ThreadSkeleton = () => (
  <div aria-label="Loading messages" className="space-y-3 py-3" role="status">
    <Skeleton className="h-10 w-3/5 rounded-card" />
    <Skeleton className="ms-auto h-16 w-1/2 rounded-card" />
    <Skeleton className="h-10 w-2/5 rounded-card" />
    <Skeleton className="ms-auto h-10 w-3/5 rounded-card" />
  </div>
);
