import { Heart } from 'lucide-react';
import type { PostCard } from '@/api/types.ts';
import { countText } from '@/base/format.ts';
import { useMemberDb } from '@/offline/store/cached.ts';
import { cn, toastError } from '@/ui';
import { countClasses } from './PostHead.tsx';
import { toggleLike } from './postLikes.ts';

type LikeButtonProps = {
  post: Pick<PostCard, 'id' | 'title' | 'likeCount' | 'likedByMe'>;
  className?: string;
};

/** The number of likes, and the button that likes the post once or takes the like back. */
export function LikeButton({ post, className }: LikeButtonProps) {
  const db = useMemberDb();
  const { likedByMe, likeCount, title } = post;

  function toggle() {
    if (!db) return toastError('You need to be signed in to like posts.', 'Please sign in');
    if (!likedByMe) navigator.vibrate?.(12);
    void toggleLike(db, post);
  }

  return (
    <button
      aria-label={`Like “${title}”, ${countText(likeCount, 'like')}`}
      aria-pressed={likedByMe}
      className={cn(countClasses, 'transition-colors', likedByMe && 'text-ember-strong', className)}
      onClick={toggle}
      type="button"
    >
      <Heart
        aria-hidden="true"
        className={cn('size-5 transition-transform', likedByMe && 'scale-110 fill-current')}
      />
      {likeCount}
    </button>
  );
}
