/** Stored posts of the community board, as page and worker change them. This module must import neither Dexie nor React. */
import type { CommentThread, PostComment, PostLikes } from '../../api/types.ts';
import type { PostRow } from './rows.ts';

/** Returns the post with the server's state of its likes. */
export const withLikes = (row: PostRow, { likeCount, likedByMe }: PostLikes): PostRow => ({
  ...row,
  post: { ...row.post, likeCount, likedByMe },
});

/** Returns the post with a new comment of the member, at its place and counted once. */
export function withComment(row: PostRow, comment: PostComment): PostRow {
  const { comments, post } = row;
  if (comments && holds(comments.items, comment.id)) return row;
  const counted = { ...post, commentCount: post.commentCount + 1 };
  if (!comments) return { ...row, post: counted };
  const items = comment.parentId
    ? comments.items.map((thread) =>
        thread.id === comment.parentId ? { ...thread, replies: [...thread.replies, comment] } : thread,
      )
    : [...comments.items, { ...comment, replies: [], repliesCursor: '' }];
  return { ...row, post: counted, comments: { ...comments, items } };
}

const holds = (threads: readonly CommentThread[], id: string): boolean =>
  threads.some((thread) => thread.id === id || thread.replies.some((reply) => reply.id === id));
