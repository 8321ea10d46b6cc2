import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { api, describeLoadError, unwrap } from '@/api/client.ts';
import { isId } from '@/api/ids.ts';
import { ApiError } from '@/api/request.ts';
import type { PublicMember } from '@/api/types.ts';
import { describeMissingRest, fetchMember, readMember } from '@/domain/memberCache.ts';
import { MemberMenu } from '@/member-menu/MemberMenu.tsx';
import { useCached } from '@/offline/store/cached.ts';
import { paths } from '@/session/paths.ts';
import { useMember } from '@/session/session.ts';
import {
  ButtonLink,
  CompatibilityCard,
  EmptyState,
  ErrorState,
  initialOf,
  RetryButton,
  Screen,
  Skeleton,
  useMediaQuery,
  useRootMark,
} from '@/ui';
import { ProfileFrame, ProfileTheme } from '@/ui/ProfileLook.tsx';
import { Banner, Gallery, Greetings, PhotoFrame, photosOf } from './MemberMedia.tsx';
import { Facts, interleave, type LikeTarget, Traits, textsOf } from './MemberParts.tsx';
import { StrangerNote } from './StrangerNote.tsx';

type MemberScreenProps = {
  /** The buttons to like, pass and message, provided by the app, which imports the other features. */
  actions: (member: PublicMember) => ReactNode;
  /** The member's badges, at the end of the profile. */
  badges: (member: PublicMember) => ReactNode;
  /** The menu beside the title. */
  menu?: (member: PublicMember) => ReactNode;
  /** Likes one photo or answer; without it they have no like button. */
  onLikeTarget?: (target: LikeTarget, member: PublicMember) => void;
};

/** /profile/:id: the profile of a member; the member's own as strangers see it. */
export default function MemberScreen(props: MemberScreenProps) {
  const { id = '' } = useParams();
  const [search] = useSearchParams();
  const viewer = search.get('as');
  const isOwn = useMember().id === id;
  if (isOwn && (viewer === 'match' || viewer === 'blocked')) return <OwnProfile {...props} viewer={viewer} />;
  if (isId(id)) return <Profile {...props} id={id} />;
  return (
    <Screen back={paths.discover} title="Profile">
      <NotHere />
    </Screen>
  );
}

function Profile({ id, actions, badges, menu, onLikeTarget }: MemberScreenProps & { id: string }) {
  const own = useMember().id === id;
  const profile = useCached({
    key: ['profile', id],
    read: (db) => readMember(db, id),
    refresh: (db) => fetchMember(db, id),
    // The member's own page must show what was just saved.
    staleMs: own ? 0 : undefined,
  });

  if (!profile.data)
    return (
      <ProfileFallback
        error={profile.error}
        loading={profile.state === 'loading'}
        menu={own ? undefined : <MemberMenu member={{ id, firstName: '' }} place="profile" />}
        onRetry={profile.refresh}
      />
    );
  const { member, isCard, compatibility, shownTo } = profile.data;
  const bar = own ? null : <ActionBar>{actions(member)}</ActionBar>;
  const onLike = own || !onLikeTarget ? undefined : (target: LikeTarget) => onLikeTarget(target, member);
  return (
    <Screen
      actions={own ? undefined : menu?.(member)}
      back={own ? paths.profile : paths.discover}
      backToPrevious={!own}
      title={`${member.firstName || 'Anonymous'}, ${member.age}`}
      width="wide"
    >
      {own && <StrangerNote member={member} shownTo={shownTo} />}
      {isCard && !profile.error ? (
        <CardContent actions={bar} member={member} />
      ) : (
        <ProfileTheme theme={member.profileTheme}>
          <ProfileContent
            actions={bar}
            badges={badges(member)}
            compatibility={own || !compatibility ? null : <CompatibilityCard compatibility={compatibility} />}
            member={member}
            missing={isCard && <MissingRest error={profile.error} onRetry={profile.refresh} />}
            onLike={onLike}
          />
        </ProfileTheme>
      )}
      {/* Space below the content, so that it can be scrolled above the bar. */}
      {!own && <div className="h-18 md:hidden" />}
    </Screen>
  );
}

/** The member's own profile as a match or a blocked member gets it, which is not stored on the device. */
function OwnProfile({ viewer, badges }: MemberScreenProps & { viewer: 'match' | 'blocked' }) {
  const query = useQuery({
    queryKey: ['own-profile', viewer],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/users/me/as-stranger', { params: { query: { viewer } }, signal })),
    networkMode: 'always',
    retry: false,
    staleTime: 0,
  });
  if (!query.data)
    return (
      <ProfileFallback
        error={query.error}
        loading={query.isPending}
        note={<StrangerNote viewer={viewer} />}
        onRetry={query.refetch}
      />
    );
  const { member } = query.data;
  return (
    <Screen back={paths.profile} title={`${member.firstName || 'Anonymous'}, ${member.age}`} width="wide">
      <StrangerNote member={member} viewer={viewer} />
      <ProfileTheme theme={member.profileTheme}>
        <ProfileContent
          actions={null}
          badges={badges(member)}
          compatibility={null}
          member={member}
          missing={false}
          onLike={undefined}
        />
      </ProfileTheme>
    </Screen>
  );
}

/**
 * What a card has of a profile that is being fetched. Texts would move when the rest arrives, as would a photo below the
 * banner of a wide screen.
 */
function CardContent({ member, actions }: Pick<ProfileContentProps, 'member' | 'actions'>) {
  const wide = useMediaQuery('(min-width: 768px)');
  if (wide) return <ProfileSkeleton />;
  return (
    <div className="flex flex-col gap-4">
      <FirstPhoto member={member} />
      <Skeleton className="h-60 rounded-card" />
      {actions}
    </div>
  );
}

const ProfileSkeleton = () => (
  <div className="grid gap-6 md:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
    <Skeleton className="aspect-4/5 rounded-card" />
    <Skeleton className="h-60 rounded-card" />
  </div>
);

type MissingRestProps = { error: Error | null; onRetry: () => Promise<unknown> };

function MissingRest({ error, onRetry }: MissingRestProps) {
  return (
    <div
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-card bg-plum-soft px-5 py-3 text-plum"
      role="status"
    >
      <p className="min-w-[min(100%,12rem)] flex-1">{describeMissingRest(error)}</p>
      <RetryButton onRetry={onRetry} variant="secondary" />
    </div>
  );
}

type ProfileContentProps = PhotosProps & {
  actions: ReactNode;
  badges: ReactNode;
  compatibility: ReactNode;
  /** Why only the fields of a card are shown; nothing for the whole profile. */
  missing: ReactNode;
};

/**
 * The content of the profile: pictures and texts alternately in one column, or side by side from 768 px on. The
 * compatibility is below the member's texts.
 */
function ProfileContent({ member, actions, badges, compatibility, missing, onLike }: ProfileContentProps) {
  const wide = useMediaQuery('(min-width: 768px)');
  const texts = textsOf(member, onLike);
  const photos = photosOf(member, onLike);
  const first = <FirstPhoto member={member} onLike={onLike} />;
  const facts = (
    <>
      <Facts member={member} />
      {actions}
      {missing}
      <Greetings member={member} />
    </>
  );
  const rest = (
    <>
      <Traits member={member} />
      {compatibility}
      {badges}
    </>
  );
  if (!wide) {
    return (
      <div className="flex flex-col gap-4">
        {first}
        {facts}
        <Banner member={member} />
        {interleave(texts, photos)}
        <Gallery member={member} />
        {rest}
      </div>
    );
  }
  return (
    <>
      <Banner className="mb-6" member={member} />
      <div className="grid grid-cols-[minmax(0,5fr)_minmax(0,6fr)] items-start gap-6">
        <div className="flex flex-col gap-6">
          {first}
          {photos.length > 0 && <div className="grid grid-cols-2 gap-3">{photos}</div>}
          <Gallery member={member} />
        </div>
        <div className="flex flex-col gap-4">
          {facts}
          {texts}
          {rest}
        </div>
      </div>
    </>
  );
}

/** The actions on the member: a fixed bar on a phone, else part of the page. */
function ActionBar({ children }: { children: ReactNode }) {
  useRootMark('actions');
  return (
    <div className="inset-x-0 bottom-[calc(var(--tab-bar)+env(safe-area-inset-bottom)+var(--offline-strip,0px))] z-20 max-md:fixed max-md:border-line max-md:border-t max-md:bg-paper max-md:px-safe max-md:py-2">
      {children}
    </div>
  );
}

function ProfileFallback({
  error,
  loading,
  menu,
  note,
  onRetry,
}: {
  error: Error | null;
  loading: boolean;
  /** Reports or blocks a member who is not shown any more, such as after the end of a match. */
  menu?: ReactNode;
  /** Above the content; for the member's own profile. */
  note?: ReactNode;
  onRetry: () => unknown;
}) {
  // Without an error the profile was removed from this device, such as at the end of a match.
  const isNotFound = !error || (error instanceof ApiError && error.status === 404);
  return (
    <Screen actions={isNotFound && !loading ? menu : undefined} back={paths.discover} title="Profile">
      {note}
      {loading && <ProfileSkeleton />}
      {!loading && isNotFound && <NotHere />}
      {!loading && !isNotFound && (
        <ErrorState
          onRetry={onRetry}
          text={describeLoadError(error)}
          title="This profile could not be loaded"
        />
      )}
    </Screen>
  );
}

function NotHere() {
  return (
    <EmptyState
      action={<ButtonLink to={paths.discover}>Discover People</ButtonLink>}
      art="people"
      text="They may have paused or left Heartward."
      title="This profile is not here"
    />
  );
}

type PhotosProps = { member: PublicMember; onLike?: (target: LikeTarget) => void };

function FirstPhoto({ member, onLike }: PhotosProps) {
  if (member.photos.length > 0) {
    return (
      <ProfileFrame frame={member.profileFrame}>
        <PhotoFrame eager index={0} member={member} onLike={onLike} />
      </ProfileFrame>
    );
  }
  return (
    <div className="grid aspect-4/5 place-items-center rounded-card bg-plum-soft font-display font-semibold text-4xl text-plum">
      {initialOf(member.firstName)}
    </div>
  );
}
