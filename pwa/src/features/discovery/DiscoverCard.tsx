import { BadgeCheck, Heart, MapPin, MessageCircle, Star } from 'lucide-react';
import { memo, useState } from 'react';
import { Link } from 'react-router';
import type { LikeType } from '@/api/types.ts';
import { visitText } from '@/domain/profile/visit.ts';
import { MemberMenu } from '@/member-menu/MemberMenu.tsx';
import { useDb } from '@/offline/store/cached.ts';
import type { FeedRow } from '@/offline/store/rows.ts';
import { paths } from '@/session/paths.ts';
import { Button, ButtonLink, initialOf, Photo, ScoreBadge } from '@/ui';
import { CardChips } from './CardChips.tsx';
import { like } from './likeAndPass.ts';
import { refusePaused } from './paused.ts';
import { Tags } from './Tags.tsx';

type DiscoverCardProps = {
  row: FeedRow;
  /** The id of the match with this member; without one a message is sent as a request. */
  matchId?: string;
  /** Whether a request to the member waits for an answer. */
  isRequested: boolean;
  eager: boolean;
};

/** A candidate in the grid. An unchanged one is not drawn again when others are added. */
export const DiscoverCard = memo(function DiscoverCard({
  row,
  matchId,
  isRequested,
  eager,
}: DiscoverCardProps) {
  const { candidate: member } = row;
  const name = member.fullName || 'Anonymous';
  const photo = member.photos[0];
  return (
    <article className="card relative flex min-w-0 flex-1 flex-col overflow-hidden">
      <Link
        aria-label={`View ${name}'s profile`}
        className="relative block aspect-square overflow-hidden -outline-offset-2 min-[520px]:aspect-4/5"
        to={paths.member(member.id)}
        viewTransition
      >
        {photo || member.profileImageUrl ? (
          <Photo
            alt={photo?.caption || name}
            eager={eager}
            placeholder={photo?.placeholder}
            ratio="fill"
            src={photo?.thumbUrl ?? member.profileImageUrl}
          />
        ) : (
          <span
            aria-hidden="true"
            className="grid size-full place-items-center bg-plum-soft font-display font-semibold text-4xl text-plum"
          >
            {initialOf(name)}
          </span>
        )}
      </Link>
      <ScoreBadge
        className="pointer-events-none absolute top-3 inset-e-3 shadow-float"
        score={member.compatibility.overall}
      />
      <MemberMenu className="absolute top-2 inset-s-2" member={member} place="card" tone="photo" />
      <div className="flex flex-1 flex-col p-4">
        <Description isRequested={isRequested} member={member} name={name} />
        <div className="mt-auto grid grid-cols-2 gap-2 pt-4">
          <LikeButtons name={name} row={row} />
          <ButtonLink
            aria-label={isRequested ? `See your request to ${name}` : `Message ${name}`}
            className="col-span-2"
            size="sm"
            to={paths.conversation(matchId ?? member.id)}
            variant="secondary"
          >
            <MessageCircle aria-hidden="true" className="size-4.5" />
            {isRequested ? 'See your request' : 'Message'}
          </ButtonLink>
        </div>
      </div>
    </article>
  );
});

type DescriptionProps = { member: FeedRow['candidate']; name: string; isRequested: boolean };

/** The name, the town and the beginning of what the member wrote. */
function Description({ member, name, isRequested }: DescriptionProps) {
  const hasChips =
    isRequested || member.activeToday || member.isNew || member.isPremium || visitText(member) !== '';
  return (
    <>
      <h3 className="flex items-center gap-1.5 font-display font-semibold text-lg">
        <span className="wrap-anywhere line-clamp-2 min-w-0">
          <bdi>{name}</bdi>, {member.age}
        </span>
        {member.isVerified && (
          <>
            <BadgeCheck aria-hidden="true" className="size-5 shrink-0 text-sky" />
            <span className="sr-only">Verified</span>
          </>
        )}
      </h3>
      {member.city && (
        <p className="flex gap-1 text-muted text-sm">
          <MapPin aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          <span className="flex min-w-0 flex-wrap gap-x-1">
            <span className="max-w-full truncate">
              {[member.city, member.state].filter(Boolean).join(', ')}
            </span>
            {member.compatibility.distanceBand && (
              <span className="max-w-full truncate">· {member.compatibility.distanceBand}</span>
            )}
          </span>
        </p>
      )}
      {hasChips && (
        <div className="mt-2 flex flex-wrap gap-1.5">
          <CardChips isRequested={isRequested} member={member} />
        </div>
      )}
      {member.bio && (
        <p className="mt-2 line-clamp-2 wrap-anywhere" dir="auto">
          {member.bio}
        </p>
      )}
      <Tags className="mt-3" tags={member.intentionTags} />
      {member.loveReflection && (
        <blockquote
          className="mt-3 line-clamp-3 border-ember border-s-2 ps-3 font-display text-muted italic"
          dir="auto"
        >
          “{member.loveReflection}”
        </blockquote>
      )}
    </>
  );
}

function LikeButtons({ row, name }: { row: FeedRow; name: string }) {
  const db = useDb();
  const { candidate } = row;
  // A row of a preview is not stored, so the like does not change it.
  const [sent, setSent] = useState<LikeType>();
  const liked = row.liked ?? sent;
  function send(likeType: LikeType) {
    if (refusePaused()) return;
    setSent(likeType);
    // A failure is shown by a toast.
    like(db, candidate, likeType, 'grid').catch(() => setSent(undefined));
  }
  const labels = {
    like: liked === 'like' ? 'Liked' : 'Like',
    super_like: liked === 'super_like' ? 'Super Liked' : 'Super Like',
  };
  return (
    <>
      <Button
        aria-label={`${labels.like} ${name}`}
        className="px-2"
        disabled={liked !== undefined}
        onClick={() => send('like')}
        size="sm"
      >
        <Heart aria-hidden="true" className="size-4.5 shrink-0" />
        {labels.like}
      </Button>
      <Button
        aria-label={`${labels.super_like} ${name}`}
        className="px-2"
        disabled={liked !== undefined}
        onClick={() => send('super_like')}
        size="sm"
        variant="secondary"
      >
        <Star aria-hidden="true" className="size-4.5 shrink-0 text-marigold-ink" />
        {labels.super_like}
      </Button>
    </>
  );
}
