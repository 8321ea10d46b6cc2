import { BadgeCheck, MapPin, MessageCircle } from 'lucide-react';
import type { Match } from '@/api/types.ts';
import { paths } from '@/app/paths.ts';
import { Avatar, Badge, ButtonLink, cn, RelativeTime } from '@/ui';

/** One match, and the two ways on from it. */
export function MatchCard({ match, isNew }: { match: Match; isNew: boolean }) {
  const { user } = match;
  const name = user.firstName || 'Anonymous';
  return (
    <article className={cn('card flex min-w-0 flex-1 flex-col p-4', isNew && 'border-ember')}>
      <div className="flex gap-4">
        <Avatar className="size-20 text-2xl" user={user} />
        <div className="min-w-0 flex-1">
          <div className="flex items-start justify-between gap-2">
            <h2 className="flex min-w-0 items-center gap-1.5 font-display font-semibold text-lg">
              <span className="truncate">
                {name}, {user.age}
              </span>
              {user.isVerified && (
                <>
                  <BadgeCheck aria-hidden="true" className="size-5 shrink-0 text-sky" strokeWidth={1.75} />
                  <span className="sr-only">Verified</span>
                </>
              )}
            </h2>
            <Badge className="shrink-0" tone="ember">
              Match!
            </Badge>
          </div>
          {user.city && (
            <p className="flex items-center gap-1 text-muted text-sm">
              <MapPin aria-hidden="true" className="size-4 shrink-0" strokeWidth={1.75} />
              <span className="truncate">{user.city}</span>
            </p>
          )}
          <p className="mt-1 flex items-center gap-2 text-muted text-sm">
            <RelativeTime value={match.matchedAt} />
            {isNew && <Badge tone="marigold">New</Badge>}
          </p>
        </div>
      </div>
      {user.bio && <p className="mt-3 line-clamp-2">{user.bio}</p>}
      <div className="mt-auto grid grid-cols-2 gap-2 pt-4">
        <ButtonLink
          aria-label={`Message ${name}`}
          className="px-2"
          size="sm"
          to={paths.conversation(match.id)}
        >
          <MessageCircle aria-hidden="true" className="size-4.5 shrink-0" strokeWidth={1.75} />
          Message
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
    </article>
  );
}
