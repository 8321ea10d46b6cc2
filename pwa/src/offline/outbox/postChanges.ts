/** Likes and comments of posts in the outbox, in page and service worker. */
import type { PostComment, PostLikes } from '../../api/types.ts';
import { withComment, withLikes } from '../store/postRows.ts';
import type { OutboxRow } from '../store/rows.ts';
import type { Tx } from '../store/tx.ts';

/** The worker opens only tables that the page has created, so an older database without posts is not asked for them. */
export const postTables = ({ kind }: OutboxRow): ['posts'] | [] =>
  kind === 'postLike' || kind === 'comment' ? ['posts'] : [];

/** Stores the response to a like or a comment with its post, if that is on the device. */
export async function storePostChange(tx: Tx, { body }: OutboxRow, response: unknown): Promise<void> {
  if (body.kind !== 'postLike' && body.kind !== 'comment') return;
  const stored = await tx.get('posts', body.postId);
  if (!stored) return;
  const changed =
    body.kind === 'comment'
      ? withComment(stored, response as PostComment)
      : withLikes(stored, response as PostLikes);
  await tx.put('posts', changed);
}
