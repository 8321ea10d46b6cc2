import { CheckCheck } from 'lucide-react';
import { useState } from 'react';
import { describeLoadError } from '@/api/client.ts';
import type { Notification } from '@/api/types.ts';
import { useDay } from '@/base/now.ts';
import { useDb } from '@/offline/store/cached.ts';
import type { StoredNotifications } from '@/offline/store/meta.ts';
import { paths } from '@/session/paths.ts';
import { ButtonLink, Chip, EmptyState, ErrorState, IconButton, Screen, Skeleton, useAction } from '@/ui';
import { ItemRow } from './ItemRow.tsx';
import { ListSkeleton, LoadEarlier } from './ListParts.tsx';
import {
  fetchNextNotifications,
  fetchUnread,
  groupByDay,
  markAllRead,
  markRead,
  useNotifications,
} from './notifications.ts';

/** What happened to the member, grouped by day. */
export default function NotificationsScreen() {
  const db = useDb();
  const { data, state, error, refresh } = useNotifications();
  const hasUnread = data?.items.some(({ isRead }) => !isRead) ?? false;
  return (
    <Screen
      actions={
        <IconButton
          disabled={!hasUnread}
          icon={CheckCheck}
          label="Mark all as read"
          onClick={() => void markAllRead(db)}
        />
      }
      back={paths.home}
      title="Notifications"
      width="reading"
    >
      {state === 'loading' && (
        <>
          {/* As high as the filter and the name of the first day. */}
          <div className="mb-4 flex gap-2">
            <Skeleton className="h-11 w-14 rounded-full" />
            <Skeleton className="h-11 w-20 rounded-full" />
          </div>
          <Skeleton className="mb-2 h-5 w-14" />
          <ListSkeleton label="Loading your notifications" />
        </>
      )}
      {state === 'error' && (
        <ErrorState
          onRetry={refresh}
          text={describeLoadError(error)}
          title="Your notifications could not be loaded"
        />
      )}
      {state === 'empty' && (
        <EmptyState
          action={<ButtonLink to={paths.discover}>Discover people</ButtonLink>}
          art="road"
          text="When someone likes you, or answers you, you will read it here."
          title="Nothing new yet"
        />
      )}
      {state === 'ready' && data && <List list={data} />}
    </Screen>
  );
}

function List({ list }: { list: StoredNotifications }) {
  const db = useDb();
  // An opened notification stays in the list of unread ones until the filter is chosen again.
  useDay(); // its days are named as seen from today
  const [unreadIds, setUnreadIds] = useState<Set<string> | null>(null);
  const shown = unreadIds ? list.items.filter(({ id, isRead }) => !isRead || unreadIds.has(id)) : list.items;

  const [refresh] = useAction(() => fetchUnread(db));

  function showUnread() {
    setUnreadIds(new Set(list.items.filter(({ isRead }) => !isRead).map(({ id }) => id)));
    void refresh();
  }

  return (
    <>
      <div className="mb-4 flex gap-2">
        <Chip onClick={() => setUnreadIds(null)} selected={unreadIds === null}>
          All
        </Chip>
        <Chip onClick={showUnread} selected={unreadIds !== null}>
          Unread
        </Chip>
      </div>
      {shown.length === 0 && (
        <p className="py-8 text-center text-muted" role="status">
          You're all caught up.
        </p>
      )}
      {groupByDay(shown).map(({ label, items }) => (
        <Day items={items} key={label} label={label} />
      ))}
      {list.next && <LoadEarlier load={() => fetchNextNotifications(db)} />}
    </>
  );
}

function Day({ label, items }: { label: string; items: Notification[] }) {
  const db = useDb();
  return (
    <section className="mb-6">
      <h2 className="mb-2 font-semibold text-muted text-sm">{label}</h2>
      <ul className="card divide-y divide-line overflow-hidden">
        {items.map((item) => (
          <ItemRow isUnread={!item.isRead} item={item} key={item.id} onOpen={() => void markRead(db, item)} />
        ))}
      </ul>
    </section>
  );
}
