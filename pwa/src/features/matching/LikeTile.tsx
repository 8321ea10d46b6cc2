import { BadgeCheck, Heart, Star } from 'lucide-react';
import type { ReceivedLike } from '@/api/types.ts';
import { Badge, cn, initialOf, Photo, RelativeTime } from '@/ui';

type LikeTileProps = { like: ReceivedLike; eager: boolean; onOpen: () => void; onLike: () => void };

/** The face of a member who likes the signed-in one, with the beginning of the comment. A press opens the like. */
export function LikeTile({ like, eager, onOpen, onLike }: LikeTileProps) {
  const { user } = like;
  const name = user.firstName || 'Anonymous';
  const isSuper = like.likeType === 'super_like';
  return (
    <article
      className={cn(
        'card relative min-w-0 flex-1 overflow-hidden',
        isSuper && 'border-marigold ring-2 ring-marigold',
      )}
    >
      <button
        aria-haspopup="dialog"
        className="relative block aspect-3/4 w-full overflow-hidden text-start -outline-offset-2"
        onClick={onOpen}
        type="button"
      >
        <LikeFace eager={eager} user={user} />
        <Caption like={like} name={name} />
      </button>
      {isSuper && (
        <Badge className="pointer-events-none absolute top-2 inset-s-2 shadow-float" tone="marigold">
          <Star aria-hidden="true" className="size-4 fill-current" />
          Super like
        </Badge>
      )}
      <button
        aria-label={`Like back ${name}`}
        className="absolute inset-e-2 bottom-2 grid size-11 place-items-center rounded-full bg-surface text-ember-strong shadow-float transition-transform active:scale-95"
        onClick={onLike}
        type="button"
      >
        <Heart aria-hidden="true" className="size-5" strokeWidth={2} />
      </button>
    </article>
  );
}

/** The name, and the comment of the like or its time. */
function Caption({ like: { user, comment, likedAt }, name }: { like: ReceivedLike; name: string }) {
  return (
    <span className="photo-fade absolute inset-x-0 bottom-0 flex flex-col gap-0.5 px-3 pt-12 pb-3 text-on-photo">
      <span className="flex items-center gap-1.5 font-display font-semibold text-lg">
        <span className="truncate" dir="auto">
          {name}, {user.age}
        </span>
        {user.isVerified && (
          <>
            <BadgeCheck aria-hidden="true" className="size-4.5 shrink-0" />
            <span className="sr-only">Verified</span>
          </>
        )}
      </span>
      {/* Two lines beside the button, below the name. */}
      <span className="line-clamp-2 min-h-10 pe-10 text-sm [overflow-wrap:anywhere]">
        {comment ? (
          <>
            “<bdi>{comment}</bdi>”
          </>
        ) : (
          <>
            Liked you <RelativeTime inSentence value={likedAt} />
          </>
        )}
      </span>
    </span>
  );
}

/** The photo of a member, or an initial. Their name stands beside it. */
export function LikeFace({ user, eager }: { user: ReceivedLike['user']; eager: boolean }) {
  if (user.profileImageUrl) {
    return (
      <Photo alt="" eager={eager} placeholder={user.placeholder} ratio="fill" src={user.profileImageUrl} />
    );
  }
  return (
    <span
      aria-hidden="true"
      className="grid size-full place-items-center bg-plum-soft font-display font-semibold text-4xl text-plum"
    >
      {initialOf(user.firstName || 'Anonymous')}
    </span>
  );
}
