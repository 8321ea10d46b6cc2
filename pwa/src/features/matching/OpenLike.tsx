import { Heart, MapPin, X } from 'lucide-react';
import { Link } from 'react-router';
import type { ReceivedLike } from '@/api/types.ts';
import { MemberMenu } from '@/member-menu/MemberMenu.tsx';
import { paths } from '@/session/paths.ts';
import { Button, RelativeTime, Sheet } from '@/ui';
import { LikedItem } from './LikedItem.tsx';
import { LikeFace } from './LikeTile.tsx';

type OpenLikeProps = { like: ReceivedLike; onLike: () => void; onPass: () => void; onClose: () => void };

/** A received like, opened: the member, what they liked, their whole comment, and buttons to like back or pass. */
export function OpenLike({ like, onLike, onPass, onClose }: OpenLikeProps) {
  const { user } = like;
  const name = user.firstName || 'Anonymous';
  return (
    <Sheet
      actions={
        <>
          <Button aria-label={`Pass on ${name}`} onClick={onPass} variant="secondary">
            <X aria-hidden="true" className="size-4.5 shrink-0" />
            Pass
          </Button>
          <Button aria-label={`Like back ${name}`} onClick={onLike}>
            <Heart aria-hidden="true" className="size-4.5 shrink-0" />
            Like back
          </Button>
        </>
      }
      description={
        <>
          Liked you <RelativeTime inSentence value={like.likedAt} />
        </>
      }
      onClose={onClose}
      open
      title={`${name}, ${user.age}`}
    >
      <div className="relative">
        <Link
          className="block aspect-4/5 max-h-[45dvh] w-full overflow-hidden rounded-card"
          to={paths.member(user.id)}
          viewTransition
        >
          <LikeFace eager user={user} />
          <span className="sr-only">View profile of {name}</span>
        </Link>
        <MemberMenu className="absolute top-2 inset-e-2" member={user} place="likes" tone="photo" />
      </div>
      <div className="mt-4 flex flex-col gap-3">
        {user.city && (
          <p className="flex items-center gap-1 text-muted text-sm">
            <MapPin aria-hidden="true" className="size-4 shrink-0" />
            <span className="truncate">{user.city}</span>
          </p>
        )}
        <LikedItem like={like} name={name} />
        {user.bio && (
          <p className="line-clamp-4" dir="auto">
            {user.bio}
          </p>
        )}
      </div>
    </Sheet>
  );
}
