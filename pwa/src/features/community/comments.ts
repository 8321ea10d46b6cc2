/** The comments on a post, stored with it on a member's device. */
import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { api, unwrap, unwrapPage } from '@/api/client.ts';
import type { CommentThread, PostComment } from '@/api/types.ts';
import { part } from '@/base/pageSession.ts';
import { enqueue } from '@/offline/outbox/outbox.ts';
import { useCached, useDb, useLive } from '@/offline/store/cached.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import type { NewComment, OutboxRow } from '@/offline/store/rows.ts';
import { fetchNextPage, type Mirror, type Page, refreshMirror } from '@/offline/sync/mirror.ts';
import { toastError } from '@/ui';

const fetchPage = (
  postId: string,
  cursor?: string,
  signal?: AbortSignal,
  parentId?: string,
): Promise<Page<CommentThread>> =>
  unwrapPage(
    api.GET('/api/community/posts/{id}/comments', {
      params: { path: { id: postId }, query: { cursor, parentId } },
      signal,
    }),
  );

const mirrorsOf = part(() => new Map<string, Mirror<CommentThread>>());

function mirrorOf(db: HeartwardDb, postId: string): Mirror<CommentThread> {
  const mirrors = mirrorsOf(db);
  const mirror = mirrors.get(postId) ?? makeMirror(postId);
  mirrors.set(postId, mirror);
  return mirror;
}

/** A list that belongs to a post: without the post on the device nothing is stored. */
const makeMirror = (postId: string): Mirror<CommentThread> => ({
  fetch: (_, cursor, signal) => fetchPage(postId, cursor, signal),
  memberOf: ({ author }) => author?.id ?? undefined,
  readCursor: async (db) => (await db.posts.get(postId))?.comments?.next ?? null,
  tables: (db) => [db.posts],
  replace: async (db, { items, next, last }) => {
    const known = (await db.posts.get(postId))?.comments;
    // The later pages stay, because a member may be reading them.
    const following =
      next && last ? (known?.items ?? []).filter((one) => one.createdAt > last.createdAt) : [];
    const comments =
      following.length > 0 ? { items: [...items, ...following], next: known?.next ?? null } : { items, next };
    await db.posts.update(postId, { comments });
  },
  append: async (db, { items, next }) => {
    const known = (await db.posts.get(postId))?.comments?.items ?? [];
    await db.posts.update(postId, { comments: { items: mergeComments(known, items), next } });
  },
});

/** Returns the comments of both lists once, the oldest first: an own new one may be stored before the page with it. */
export function mergeComments(
  known: readonly CommentThread[],
  added: readonly CommentThread[],
): CommentThread[] {
  const byId = new Map([...known, ...added].map((comment) => [comment.id, comment]));
  return [...byId.values()].sort(
    (a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt) || (a.id < b.id ? -1 : 1),
  );
}

/** Returns the thread with a further page of its replies. */
export async function fetchReplies(postId: string, thread: CommentThread): Promise<CommentThread> {
  const { items, next } = await fetchPage(postId, thread.repliesCursor, undefined, thread.id);
  const known = new Set(thread.replies.map(({ id }) => id));
  const added = items.filter(({ id }) => !known.has(id));
  return { ...thread, replies: [...thread.replies, ...added], repliesCursor: next ?? '' };
}

/** Loads further replies to a comment and stores them with the post. */
export async function loadReplies(db: HeartwardDb, postId: string, thread: CommentThread): Promise<void> {
  const loaded = await fetchReplies(postId, thread);
  await db.posts.update(postId, (row) => {
    if (!row.comments) return;
    row.comments = {
      ...row.comments,
      items: row.comments.items.map((each) => (each.id === thread.id ? loaded : each)),
    };
  });
}

export type ShownComments = {
  comments: CommentThread[] | undefined;
  error: Error | null;
  hasNext: boolean;
  loadNext: () => Promise<unknown>;
  refresh: () => Promise<unknown>;
};

export const refreshComments = (db: HeartwardDb, postId: string, signal?: AbortSignal): Promise<void> =>
  refreshMirror(db, mirrorOf(db, postId), signal);

export function useMemberComments(postId: string): ShownComments {
  const db = useDb();
  const { data, error, refresh } = useCached({
    key: ['community', 'comments', postId],
    read: async (db) => (await db.posts.get(postId))?.comments ?? null,
    refresh: (db, signal) => refreshComments(db, postId, signal),
    isEmpty: (stored) => stored === null,
    staleMs: 0,
  });
  return {
    comments: data?.items,
    error,
    hasNext: data?.next != null,
    loadNext: () => fetchNextPage(db, mirrorOf(db, postId)),
    refresh,
  };
}

export function useVisitorComments(postId: string): ShownComments {
  const query = useInfiniteQuery({
    queryKey: ['visitor-comments', postId],
    queryFn: ({ pageParam, signal }) => fetchPage(postId, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    select: ({ pages }: InfiniteData<Page<CommentThread>>) => pages.flatMap(({ items }) => items),
    staleTime: 60_000,
  });
  return {
    comments: query.data,
    error: query.error,
    hasNext: query.hasNextPage,
    loadNext: () => query.fetchNextPage({ throwOnError: true }),
    refresh: query.refetch,
  };
}

/** An own comment in the outbox: it waits, is being sent, or was rejected (`state` is 'failed'). */
export type UnsentComment = Pick<OutboxRow, 'clientId' | 'state' | 'reason' | 'createdAt'> & NewComment;

/** The member's comments on a post that the server has not stored, in order. */
export const useUnsentComments = (postId: string): UnsentComment[] =>
  useLive((db) => readUnsentComments(db, postId), [postId]) ?? [];

export async function readUnsentComments(db: HeartwardDb, postId: string): Promise<UnsentComment[]> {
  const rows = await db.outbox.orderBy('localSeq').toArray();
  return rows.flatMap(({ body, clientId, state, reason, createdAt }) =>
    body.kind === 'comment' && body.postId === postId
      ? [{ ...body, clientId, state, reason, createdAt }]
      : [],
  );
}

/** Stores a comment to be sent. Resolves with whether it was stored. */
export async function addComment(
  db: HeartwardDb,
  postId: string,
  content: string,
  parentId?: string,
): Promise<boolean> {
  try {
    await enqueue(db, { kind: 'comment', postId, content, ...(parentId && { parentId }) });
    return true;
  } catch {
    toastError('Your comment could not be stored on this device. Please try again.');
    return false;
  }
}

/** Replaces the text of an own comment. It is not queued: the time in which it may be changed could end meanwhile. */
export async function editComment(
  db: HeartwardDb,
  { id, postId, isPending }: PostComment,
  content: string,
): Promise<void> {
  const edited = await unwrap(
    api.PUT('/api/community/comments/{id}', { params: { path: { id } }, body: { content } }),
  );
  const difference = Number(isPending) - Number(edited.isPending);
  await db.posts.update(postId, (row) => {
    row.post = { ...row.post, commentCount: Math.max(0, row.post.commentCount + difference) };
    if (row.comments) row.comments = { ...row.comments, items: row.comments.items.map(withEdit(edited)) };
  });
}

/** Returns a function that puts an edited comment, or reply, in place of the one before. */
const withEdit =
  (edited: PostComment) =>
  (thread: CommentThread): CommentThread =>
    thread.id === edited.id
      ? { ...thread, ...edited }
      : { ...thread, replies: thread.replies.map((reply) => (reply.id === edited.id ? edited : reply)) };

/** Deletes an own comment. It is not queued: the screen must not claim that it is gone. */
export async function deleteComment(db: HeartwardDb, postId: string, id: string): Promise<void> {
  await unwrap(api.DELETE('/api/community/comments/{id}', { params: { path: { id } } }));
  await refreshComments(db, postId);
  await db.posts.update(postId, (row) => {
    row.post = { ...row.post, commentCount: Math.max(0, row.post.commentCount - 1) };
  });
}
