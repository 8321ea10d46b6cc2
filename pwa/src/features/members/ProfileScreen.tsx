import { Eye, Pencil } from 'lucide-react';
import { type ReactNode, Suspense, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { Me } from '@/api/types.ts';
import { type ProfileTab, paths, profileTabs } from '@/session/paths.ts';
import { useMember } from '@/session/session.ts';
import { Avatar, Button, ButtonLink, cn, lazyWithRetry, Photo, Screen, Tabs } from '@/ui';
import { Overview } from './Overview.tsx';
import { Settings } from './Settings.tsx';

const ProfileEditor = lazyWithRetry(() => import('./ProfileEditor.tsx'));

const isTab = (value: string | null): value is ProfileTab => profileTabs.includes(value as ProfileTab);

/** Contents provided by other features. */
type ProfileScreenProps = {
  activity: ReactNode;
  referrals: ReactNode;
  /** Shown beside the member's badges. */
  badges?: ReactNode;
};

/** /profile?tab=…: the member's own page. */
export default function ProfileScreen({ activity, referrals, badges }: ProfileScreenProps) {
  const me = useMember();
  const [search, setSearch] = useSearchParams();
  const requestedTab = search.get('tab');
  // The section being edited, '' for the whole profile, null when the editor is closed.
  const [editing, setEditing] = useState<string | null>(null);
  return (
    <Screen title="Profile">
      {me.headerBannerImage && (
        <div className="mb-4 aspect-3/1 max-h-44 w-full overflow-hidden rounded-card max-sm:max-h-20">
          <Photo alt={me.headerBannerImage.caption} eager photo={me.headerBannerImage} ratio="fill" />
        </div>
      )}
      <div className="items-start gap-8 lg:grid lg:grid-cols-[20rem_minmax(0,1fr)]">
        <OwnCard me={me} onEdit={() => setEditing('')} />
        <Tabs
          label="Your profile"
          onChange={(tab) => setSearch({ tab }, { replace: true })}
          tabs={[
            {
              value: 'overview',
              label: 'Overview',
              content: <Overview badges={badges} me={me} onEdit={setEditing} />,
            },
            { value: 'activity', label: 'Activity', content: activity },
            { value: 'referrals', label: 'Referrals', content: referrals },
            { value: 'settings', label: 'Settings', content: <Settings me={me} /> },
          ]}
          value={isTab(requestedTab) ? requestedTab : 'overview'}
        />
      </div>
      {editing !== null && (
        <Suspense fallback={null}>
          <ProfileEditor me={me} onClose={() => setEditing(null)} part={editing} />
        </Suspense>
      )}
    </Screen>
  );
}

/** A summary of the member's own profile as others see it, with buttons to edit it and to open all of it. */
function OwnCard({ me, onEdit }: { me: Me; onEdit: () => void }) {
  const [photo] = me.photos;
  return (
    <section
      className={cn(
        'mb-6 grid items-end gap-4 lg:sticky lg:top-22',
        photo && 'sm:max-lg:grid-cols-[13rem_minmax(0,1fr)]',
      )}
    >
      {photo && (
        <Link
          aria-label="See your profile as others see it"
          className="block aspect-5/4 overflow-hidden rounded-card -outline-offset-2 sm:aspect-4/5"
          to={paths.member(me.id)}
          viewTransition
        >
          <Photo alt={photo.caption || 'Your first photo'} eager photo={photo} ratio="fill" />
        </Link>
      )}
      <div className="flex min-w-0 flex-wrap items-center gap-4">
        {!photo && <Avatar size="lg" user={me} />}
        <div className="min-w-[min(100%,11rem)] flex-1">
          <h2 className="wrap-anywhere font-display font-semibold text-xl">
            <bdi>{me.fullName || 'Your Profile'}</bdi>
          </h2>
          <p className="text-muted">Welcome back to Heartward</p>
        </div>
        <div className={cn('flex w-full flex-wrap gap-3 *:flex-1', !photo && 'sm:max-lg:w-auto')}>
          <Button className="px-3" onClick={onEdit} variant="secondary">
            <Pencil aria-hidden="true" className="size-4.5 shrink-0" strokeWidth={1.75} />
            Edit Profile
          </Button>
          <ButtonLink className="px-3" to={paths.member(me.id)} variant="secondary">
            <Eye aria-hidden="true" className="size-5 shrink-0" strokeWidth={1.75} />
            Preview
          </ButtonLink>
        </div>
      </div>
    </section>
  );
}
