import type { CommentThread } from '@/api/types.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import type { MemberData } from '@/offline/store/purge.ts';
import type { PostRow } from '@/offline/store/rows.ts';

const isBy =
  (userId: string) =>
  ({ author }: { author: { id: string | null } | null }): boolean =>
    author?.id === userId;

/** The posts and comments of a member, and what the signed-in member has written to them and not sent. */
export const communityData: MemberData = {
  find: async (db, { userId }) => {
    const rows = await db.posts.toArray();
    return [
      rows.map(({ post }) => post).filter(isBy(userId)),
      commentsOf(rows)
        .filter(isBy(userId))
        .map(({ author }) => author),
    ];
  },
  remove: async (db, { userId }) => {
    await removePosts(db, userId);
    await db.posts
      .filter(({ comments }) => comments !== undefined)
      .modify((row) => {
        if (!row.comments) return;
        const { items, counted } = withoutAuthor(row.comments.items, userId);
        row.comments = { ...row.comments, items };
        row.post = { ...row.post, commentCount: Math.max(0, row.post.commentCount - counted) };
      });
  },
};

/** Returns the stored comments and replies. */
const commentsOf = (rows: PostRow[]) =>
  rows.flatMap(({ comments }) => (comments?.items ?? []).flatMap((thread) => [thread, ...thread.replies]));

async function removePosts(db: HeartwardDb, userId: string): Promise<void> {
  const ids = (await db.posts.toArray()).filter(({ post }) => isBy(userId)(post)).map(({ id }) => id);
  await db.posts.bulkDelete(ids);
  await db.outbox
    .filter(({ body }) => (body.kind === 'postLike' || body.kind === 'comment') && ids.includes(body.postId))
    .delete();
}

/** Returns the comments without what a member wrote, and how many those were. */
function withoutAuthor(comments: readonly CommentThread[], userId: string) {
  let counted = 0;
  const items = comments.flatMap((comment) => {
    const replies = comment.replies.filter((reply) => !isBy(userId)(reply));
    counted += comment.replies.length - replies.length;
    if (!isBy(userId)(comment)) return [{ ...comment, replies }];
    counted += 1;
    // Like the server: what others have replied stays below an empty comment.
    return replies.length > 0 ? [{ ...comment, replies, author: null, content: '', isDeleted: true }] : [];
  });
  return { items, counted };
}
