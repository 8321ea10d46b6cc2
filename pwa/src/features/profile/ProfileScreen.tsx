import { BadgeCheck, Eye, Pencil } from 'lucide-react';
import { type ReactNode, Suspense, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { Me } from '@/api/types.ts';
import { type ProfileTab, paths, profileTabs } from '@/session/paths.ts';
import { useMember } from '@/session/session.ts';
import {
  Avatar,
  Button,
  ButtonLink,
  cn,
  IconButton,
  lazyWithRetry,
  Photo,
  Screen,
  Tabs,
  useMediaQuery,
} from '@/ui';
import { Banner } from './MemberMedia.tsx';
import { Overview } from './Overview.tsx';

const ProfileEditor = lazyWithRetry(() => import('./ProfileEditor.tsx'));

const isTab = (value: string | null): value is ProfileTab => profileTabs.includes(value as ProfileTab);

/** Contents provided by other features. */
type ProfileScreenProps = {
  activity: ReactNode;
  referrals: ReactNode;
  /** Shown beside the member's badges. */
  badges?: ReactNode;
  /** Links to what the member has collected. */
  links?: ReactNode;
  /** Says what others do not see yet. */
  review?: ReactNode;
  settings: ReactNode;
  verification: ReactNode;
};

/** From this width on, the member's card has a column of its own. */
const TWO_COLUMNS = '(min-width: 1024px)';

/** /profile?tab=…: the member's own page. The overview begins with the member's card, the other tabs with a line. */
export default function ProfileScreen({
  activity,
  referrals,
  badges,
  links,
  review,
  settings,
  verification,
}: ProfileScreenProps) {
  const me = useMember();
  const [search, setSearch] = useSearchParams();
  const requestedTab = search.get('tab');
  const hasTwoColumns = useMediaQuery(TWO_COLUMNS);
  const { edit, editor } = useEditor(me);

  const belowLine = (content: ReactNode) => (
    <>
      {!hasTwoColumns && <OwnLine me={me} onEdit={() => edit()} />}
      {content}
    </>
  );
  return (
    <Screen title="Profile">
      {hasTwoColumns && <Banner className="mb-4" member={me} />}
      <div className="items-start gap-8 lg:grid lg:grid-cols-[20rem_minmax(0,1fr)]">
        {hasTwoColumns && <OwnCard me={me} onEdit={() => edit()} />}
        <Tabs
          label="Your profile"
          onChange={(tab) => setSearch({ tab }, { replace: true })}
          tabs={[
            {
              value: 'overview',
              label: 'Overview',
              content: (
                <>
                  {!hasTwoColumns && <OwnCard me={me} onEdit={() => edit()} />}
                  <Overview
                    badges={badges}
                    banner={!hasTwoColumns && <Banner member={me} />}
                    links={links}
                    me={me}
                    onEdit={edit}
                    review={review}
                    verification={verification}
                  />
                </>
              ),
            },
            { value: 'activity', label: 'Activity', content: belowLine(activity) },
            { value: 'referrals', label: 'Referrals', content: belowLine(referrals) },
            { value: 'settings', label: 'Settings', content: belowLine(settings) },
          ]}
          value={isTab(requestedTab) ? requestedTab : 'overview'}
        />
      </div>
      {editor}
    </Screen>
  );
}

/** Returns a function that opens the editor, at a section if there is one, and the open editor. */
function useEditor(me: Me) {
  const [editing, setEditing] = useState<{ section?: string } | null>(null);
  const editor = editing && (
    <Suspense fallback={null}>
      <ProfileEditor me={me} onClose={() => setEditing(null)} part={editing.section} />
    </Suspense>
  );
  return { edit: (section?: string) => setEditing({ section }), editor };
}

const nameOf = (me: Me) => me.fullName || 'Your Profile';
const WELCOME = 'Welcome back to Heartward';

type OwnProps = { me: Me; onEdit: () => void };

/** The member's picture and name in a line, so that the content of a tab begins near the top of a phone. */
function OwnLine({ me, onEdit }: OwnProps) {
  return (
    <section className="mb-4 flex min-w-0 flex-wrap items-center gap-3">
      <Avatar user={me} />
      <div className="min-w-[min(100%,6rem)] flex-1">
        <h2 className="wrap-anywhere font-display font-semibold text-lg leading-tight">
          <bdi>{nameOf(me)}</bdi>
        </h2>
        <p className="text-muted text-sm">{WELCOME}</p>
      </div>
      <IconButton icon={Pencil} label="Edit Profile" onClick={onEdit} />
    </section>
  );
}

/** The beginning of the member's own profile as others see it, with buttons to edit and to preview it. */
function OwnCard({ me, onEdit }: OwnProps) {
  const [photo] = me.photos;
  return (
    <section
      className={cn(
        'mb-6 grid items-end gap-4 lg:sticky lg:top-22',
        photo && 'sm:max-lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]',
      )}
    >
      {photo && (
        <Link
          aria-label="See your profile as others see it"
          className="block aspect-4/5 overflow-hidden rounded-card -outline-offset-2"
          to={paths.member(me.id)}
          viewTransition
        >
          <Photo
            alt={photo.caption || 'Your first photo'}
            eager
            missingText="Your photo loads when you are online."
            photo={photo}
            ratio="fill"
          />
        </Link>
      )}
      <div className="flex min-w-0 flex-wrap items-center gap-4">
        {!photo && <Avatar size="lg" user={me} />}
        <div className="min-w-[min(100%,11rem)] flex-1">
          <h2 className="wrap-anywhere font-display font-semibold text-xl">
            <bdi>{nameOf(me)}</bdi>
            {me.age > 0 && `, ${me.age}`}
            {me.isVerified && (
              <>
                {' '}
                <BadgeCheck
                  aria-label="Verified"
                  className="inline size-5.5 align-[-0.2em] text-sky"
                  role="img"
                />
              </>
            )}
          </h2>
          <p className="text-muted">{WELCOME}</p>
        </div>
        <div
          className={cn(
            'flex w-full flex-wrap gap-3 *:flex-1',
            !photo && 'sm:max-lg:w-auto sm:max-lg:*:flex-auto',
          )}
        >
          <Button className="px-3" onClick={onEdit} variant="secondary">
            <Pencil aria-hidden="true" className="size-4.5 shrink-0" />
            Edit Profile
          </Button>
          <ButtonLink className="px-3" to={paths.member(me.id)} variant="secondary">
            <Eye aria-hidden="true" className="size-5 shrink-0" />
            Preview
          </ButtonLink>
        </div>
      </div>
    </section>
  );
}
