import { BadgeCheck, Heart, MapPin, Star, X } from 'lucide-react';
import { Link } from 'react-router';
import type { ReceivedLike } from '@/api/types.ts';
import { MemberMenu } from '@/member-menu/MemberMenu.tsx';
import { paths } from '@/session/paths.ts';
import { Badge, Button, cn, initialOf, Photo, RelativeTime } from '@/ui';
import { LikedItem } from './LikedItem.tsx';

type LikeCardProps = { like: ReceivedLike; eager: boolean; onLike: () => void; onPass: () => void };

/** A received like: the member, their comment, and buttons to like back or pass. */
export function LikeCard({ like, eager, onLike, onPass }: LikeCardProps) {
  const { user } = like;
  const name = user.firstName || 'Anonymous';
  const isSuper = like.likeType === 'super_like';
  return (
    <article
      className={cn(
        'card relative flex min-w-0 flex-1 flex-col overflow-hidden',
        isSuper && 'border-marigold ring-2 ring-marigold',
      )}
    >
      <Link
        className="relative block aspect-square overflow-hidden -outline-offset-2"
        to={paths.member(user.id)}
        viewTransition
      >
        <CardPhoto eager={eager} name={name} user={user} />
        <span className="photo-fade absolute inset-x-0 bottom-0 px-4 pt-12 pb-3 text-on-photo">
          <span className="flex items-center gap-1.5 font-display font-semibold text-xl">
            <span className="truncate">
              {name}, {user.age}
            </span>
            {user.isVerified && (
              <>
                <BadgeCheck aria-hidden="true" className="size-5 shrink-0" strokeWidth={1.75} />
                <span className="sr-only">Verified</span>
              </>
            )}
          </span>
          {user.city && (
            <span className="flex items-center gap-1 text-sm">
              <MapPin aria-hidden="true" className="size-4 shrink-0" strokeWidth={1.75} />
              <span className="truncate">{user.city}</span>
            </span>
          )}
          <span className="sr-only">View profile</span>
        </span>
      </Link>
      {isSuper && (
        <Badge className="pointer-events-none absolute top-3 left-3 shadow-float" tone="marigold">
          <Star aria-hidden="true" className="size-4 fill-current" strokeWidth={1.75} />
          Super like
        </Badge>
      )}
      <MemberMenu className="absolute top-2 right-2" member={user} place="likes" tone="photo" />
      <div className="flex flex-1 flex-col gap-3 p-4">
        <p className="text-muted text-sm">
          Liked you <RelativeTime inSentence value={like.likedAt} />
        </p>
        <LikedItem like={like} name={name} />
        {!like.comment && user.bio && (
          <p className="line-clamp-2" dir="auto">
            {user.bio}
          </p>
        )}
        <div className="mt-auto grid grid-cols-2 gap-2 pt-1">
          <Button aria-label={`Pass on ${name}`} onClick={onPass} size="sm" variant="secondary">
            <X aria-hidden="true" className="size-4.5 shrink-0" strokeWidth={1.75} />
            Pass
          </Button>
          <Button aria-label={`Like back ${name}`} onClick={onLike} size="sm">
            <Heart aria-hidden="true" className="size-4.5 shrink-0" strokeWidth={1.75} />
            Like back
          </Button>
        </div>
      </div>
    </article>
  );
}

function CardPhoto({ user, name, eager }: { user: ReceivedLike['user']; name: string; eager: boolean }) {
  if (user.profileImageUrl) {
    return (
      <Photo
        alt={name}
        eager={eager}
        placeholder={user.placeholder}
        ratio="fill"
        src={user.profileImageUrl}
      />
    );
  }
  return (
    <span
      aria-hidden="true"
      className="grid size-full place-items-center bg-plum-soft font-display font-semibold text-4xl text-plum"
    >
      {initialOf(name)}
    </span>
  );
}
