import {
  BadgeCheck,
  Bell,
  CalendarHeart,
  Camera,
  Gift,
  Heart,
  Image,
  type LucideIcon,
  Mic,
  Sparkles,
  Star,
  UserPlus,
  Video,
} from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { describeLoadError } from '@/api/client.ts';
import { describeError } from '@/api/errors.ts';
import type { ActivityItem } from '@/api/types.ts';
import { paths } from '@/session/paths.ts';
import { Avatar, Button, ButtonLink, EmptyState, ErrorState, RelativeTime, Skeleton, toastError } from '@/ui';
import { fetchNextActivity, useActivity } from './activity.ts';

const icons: Record<ActivityItem['kind'], LucideIcon> = {
  liked: Heart,
  super_liked: Star,
  matched: Sparkles,
  date_planned: CalendarHeart,
  photo_added: Camera,
  banner_added: Image,
  voice_added: Mic,
  video_added: Video,
  verified: BadgeCheck,
  friend_joined: UserPlus,
  friend_completed: Gift,
};

/** The member's activity, newest first. */
export function ActivityList() {
  const { data, state, error, refresh } = useActivity();
  if (state === 'loading') return <ListSkeleton />;
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
      <ul className="card divide-y divide-line px-5">
        {data.items.map((item) => (
          <Row item={item} key={item.id} />
        ))}
      </ul>
      {data.next && <LoadEarlier />}
    </>
  );
}

function Row({ item }: { item: ActivityItem }) {
  // A newer server may send kinds that this version does not know.
  const Icon = icons[item.kind] ?? Bell;
  return (
    <li className="flex min-h-18 items-center gap-4 py-3">
      <span className="relative grid size-12 shrink-0 place-items-center rounded-full bg-raised">
        {item.user ? <Avatar user={item.user} /> : <KindIcon icon={Icon} />}
        {item.user && (
          <span className="absolute -right-1 -bottom-1 grid size-6 place-items-center rounded-full border-2 border-surface bg-ember-soft">
            <Icon aria-hidden="true" className="size-3.5 text-ember-strong" strokeWidth={2} />
          </span>
        )}
      </span>
      <span className="min-w-0 flex-1">
        {item.user ? (
          <Link
            className="-my-2.5 inline-flex min-h-11 items-center font-medium hover:underline"
            to={paths.member(item.user.id)}
            viewTransition
          >
            {item.text}
          </Link>
        ) : (
          <span className="font-medium">{item.text}</span>
        )}
        <RelativeTime className="block text-muted text-sm" value={item.at} />
      </span>
    </li>
  );
}

function KindIcon({ icon: Icon }: { icon: LucideIcon }) {
  return <Icon aria-hidden="true" className="size-5.5 text-ember" strokeWidth={1.75} />;
}

function LoadEarlier() {
  const [busy, setBusy] = useState(false);

  async function load() {
    setBusy(true);
    try {
      await fetchNextActivity();
    } catch (failure) {
      toastError(describeError(failure));
    }
    setBusy(false);
  }

  return (
    <div className="mt-4 flex justify-center">
      <Button busy={busy} onClick={load} variant="secondary">
        Show earlier
      </Button>
    </div>
  );
}

function ListSkeleton() {
  return (
    <div aria-label="Loading your activity" className="card flex flex-col gap-4 p-5" role="status">
      {[1, 2, 3, 4].map((row) => (
        <div className="flex items-center gap-4" key={row}>
          <Skeleton className="size-12 rounded-full" />
          <Skeleton className="h-9 flex-1" />
        </div>
      ))}
    </div>
  );
}
