import { BadgeCheck, MapPin, MessageCircle } from 'lucide-react';
import { memo } from 'react';
import { countText } from '@/base/format.ts';
import { EndingMatch } from '@/member-menu/EndingMatch.tsx';
import { MemberMenu } from '@/member-menu/MemberMenu.tsx';
import { paths } from '@/session/paths.ts';
import { Avatar, Badge, ButtonLink, cn, RelativeTime } from '@/ui';
import { LikedItem } from './LikedItem.tsx';
import type { ListedMatch } from './matches.ts';

type MatchCardProps = { match: ListedMatch; isNew: boolean };

/** One match, with links to its conversation and profile. An unchanged one is not drawn again when others are added. */
export const MatchCard = memo(function MatchCard({ match, isNew }: MatchCardProps) {
  const { user, theirLike, isEnding } = match;
  const name = user.firstName || 'Anonymous';
  return (
    <article className={cn('card flex min-w-0 flex-1 flex-col p-4', isNew && 'border-ember')}>
      <div className="flex flex-wrap gap-4">
        <Avatar className="size-20 text-2xl" user={user} />
        <div className="min-w-[min(100%,7rem)] flex-1">
          <div className="flex items-start justify-between gap-2">
            <h2 className="flex min-w-0 items-center gap-1.5 font-display font-semibold text-lg">
              <span className="min-w-0">
                <bdi>{name}</bdi>, {user.age}
              </span>
              {user.isVerified && (
                <>
                  <BadgeCheck aria-hidden="true" className="size-5 shrink-0 text-sky" />
                  <span className="sr-only">Verified</span>
                </>
              )}
            </h2>
            <MemberMenu className="-mt-2 -me-2" member={user} place="match" />
          </div>
          {user.city && (
            <p className="flex items-center gap-1 text-muted text-sm">
              <MapPin aria-hidden="true" className="size-4 shrink-0" />
              <span className="truncate">{user.city}</span>
            </p>
          )}
          <p className="mt-1 flex flex-wrap items-center gap-2 text-muted text-sm">
            <Badge tone="ember">Match!</Badge>
            <RelativeTime value={match.matchedAt} />
            {isNew && <Badge tone="marigold">New</Badge>}
          </p>
        </div>
      </div>
      {user.bio && (
        <p className="mt-3 line-clamp-2" dir="auto">
          {user.bio}
        </p>
      )}
      {theirLike?.comment && (
        <div className="mt-3">
          <LikedItem like={theirLike} name={name} />
        </div>
      )}
      {isEnding ? (
        <div className="mt-auto pt-4">
          <EndingMatch member={user} />
        </div>
      ) : (
        <Links match={match} name={name} />
      )}
    </article>
  );
});

/** The links to the conversation and the profile. */
function Links({ match: { id, user, unread }, name }: { match: ListedMatch; name: string }) {
  return (
    <div className="mt-auto flex flex-wrap gap-2 pt-4 *:flex-1">
      <ButtonLink
        aria-label={unread > 0 ? `Message ${name}, ${unreadText(unread)}` : `Message ${name}`}
        className="relative px-2"
        size="sm"
        to={paths.conversation(id)}
      >
        <MessageCircle aria-hidden="true" className="size-4.5 shrink-0" />
        Message
        {unread > 0 && (
          <span
            aria-hidden="true"
            className="absolute -top-1 -inset-e-1 size-3.5 rounded-full border-2 border-surface bg-marigold"
          />
        )}
      </ButtonLink>
      <ButtonLink
        aria-label={`View Profile of ${name}`}
        className="px-2"
        size="sm"
        to={paths.member(user.id)}
        variant="secondary"
      >
        View Profile
      </ButtonLink>
    </div>
  );
}

function unreadText(unread: number): string {
  return countText(unread, 'unread message');
}
