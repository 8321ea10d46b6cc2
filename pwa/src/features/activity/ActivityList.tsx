import { describeLoadError } from '@/api/client.ts';
import { useDb } from '@/offline/store/cached.ts';
import { paths } from '@/session/paths.ts';
import { ButtonLink, EmptyState, ErrorState } from '@/ui';
import { fetchNextActivity, useActivity } from './activity.ts';
import { ItemRow } from './ItemRow.tsx';
import { ListSkeleton, LoadEarlier } from './ListParts.tsx';

/** The member's activity, newest first. */
export function ActivityList() {
  const db = useDb();
  const { data, state, error, refresh } = useActivity();
  if (state === 'loading') return <ListSkeleton label="Loading your activity" />;
  if (state === 'error') {
    return (
      <ErrorState
        onRetry={refresh}
        text={describeLoadError(error)}
        title="Your activity could not be loaded"
      />
    );
  }
  if (state === 'empty' || !data) {
    return (
      <EmptyState
        action={<ButtonLink to={paths.discover}>Start Discovering</ButtonLink>}
        art="road"
        title="No recent activity yet. Start exploring to see your activity here!"
      />
    );
  }
  return (
    <>
      <ul className="card divide-y divide-line overflow-hidden">
        {data.items.map((item) => (
          <ItemRow item={item} key={item.id} />
        ))}
      </ul>
      {data.next && <LoadEarlier load={() => fetchNextActivity(db)} />}
    </>
  );
}
