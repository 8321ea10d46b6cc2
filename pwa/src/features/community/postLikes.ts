import type { PostCard } from '@/api/types.ts';
import { enqueue } from '@/offline/outbox/outbox.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { toastError } from '@/ui';

/** The title of the message about a like that was not stored, here or at the server. */
export const LIKE_FAILED = 'Failed to like post';

/** Stores a like of a post, or that it is taken back, to be sent. It is shown at once. */
export async function toggleLike(
  db: HeartwardDb,
  { id, likedByMe }: Pick<PostCard, 'id' | 'likedByMe'>,
): Promise<void> {
  try {
    await enqueue(db, { kind: 'postLike', postId: id, liked: !likedByMe });
  } catch {
    toastError('It could not be stored on this device. Please try again.', LIKE_FAILED);
  }
}
