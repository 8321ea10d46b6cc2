import { describeLoadError } from '@/api/client.ts';
import { paths } from '@/session/paths.ts';
import { Avatar, ButtonLink, EmptyState, ErrorState, Skeleton } from '@/ui';
import { type ListedConversation, useConversations } from './conversations.ts';

/** A list to pick a conversation from, without requests, which allow a single message only, and former members. */
export function PickConversation({ onPick }: { onPick: (row: ListedConversation) => void }) {
  const { data, state, error, refresh } = useConversations();
  if (state === 'loading') return <ListSkeleton />;
  if (state === 'error')
    return (
      <ErrorState onRetry={refresh} text={describeLoadError(error)} title="Failed to fetch conversations" />
    );
  const rows = (data ?? []).filter(({ request, isFormer }) => request === 'none' && !isFormer);
  if (rows.length === 0) {
    return (
      <EmptyState
        action={<ButtonLink to={paths.matches}>See your matches</ButtonLink>}
        art="letters"
        text="When you match with someone, you can share with them here."
        title="No conversations yet"
      />
    );
  }
  return (
    <ul aria-label="Conversations">
      {rows.map((row) => (
        <li key={row.id}>
          <button
            className="flex min-h-16 w-full items-center gap-3 rounded-control px-2 py-2 text-start transition-colors hover:bg-raised"
            onClick={() => onPick(row)}
            type="button"
          >
            <Avatar user={row.user} />
            <span className="min-w-0 flex-1">
              <span className="block truncate font-semibold" dir="auto">
                {row.user.firstName}
              </span>
              <span className="block truncate text-muted text-sm">{row.user.city}</span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function ListSkeleton() {
  return (
    <div aria-label="Loading conversations" role="status">
      {Array.from({ length: 5 }, (_, index) => `row ${index}`).map((key) => (
        <div className="flex min-h-16 items-center gap-3 px-2" key={key}>
          <Skeleton className="size-12 rounded-full" />
          <Skeleton className="h-4 w-2/5" />
        </div>
      ))}
    </div>
  );
}
