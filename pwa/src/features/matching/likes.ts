/** Received likes that the member has not answered. */
import { api, parseCount, type Remaining, unwrapPage } from '@/api/client.ts';
import type { ReceivedLike } from '@/api/types.ts';
import { type Decision, decide, decidedGuard, undoPass } from '@/domain/decide.ts';
import { useCached } from '@/offline/store/cached.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { getMeta, setMeta } from '@/offline/store/meta.ts';
import { purgedSince } from '@/offline/store/purge.ts';
import { fetchNextPage, refreshMirror, tableMirror } from '@/offline/sync/mirror.ts';
import { toast } from '@/ui';

export const likesKey = ['likes'] as const;

const mirror = tableMirror<ReceivedLike>({
  table: (db) => db.likes,
  cursorKey: 'likes:next',
  remainingKey: 'likes:remaining',
  sortTimeOf: ({ likedAt }) => likedAt,
  memberOf: ({ user }) => user.id,
  guard: decidedGuard,
  fetch: fetchLikes,
});

/** Fetches a page of likes and, with the first one, the number of unseen likes after it. */
async function fetchLikes(db: HeartwardDb, cursor: string | undefined, signal?: AbortSignal) {
  const seenAt = cursor ? '' : await getMeta(db, 'likes:seenAt');
  const query = { cursor, seenAt: seenAt || undefined };
  const call = api.GET('/api/likes/received', { params: { query }, signal });
  const page = await unwrapPage(call);
  const unseen = parseCount((await call).response.headers.get('X-Unseen'));
  if (!unseen) return page;
  const listed = page.items.filter(({ likedAt }) => likedAt > seenAt).length;
  return { ...page, remaining: { ...page.remaining, seenAt, unseen: Math.max(0, unseen.count - listed) } };
}

export type Likes = {
  rows: ReceivedLike[];
  /** Whether the server has likes after `rows`. */
  more: boolean;
  /** The number of all likes, on the device and not. */
  total: Remaining;
};

export async function readLikes(db: HeartwardDb): Promise<Likes> {
  const { removed } = await decidedGuard.pending(db);
  const rows = await db.likes.orderBy('likedAt').reverse().toArray();
  const unanswered = rows.filter(({ user }) => !removed.has(user.id));
  const remaining = await getMeta(db, 'likes:remaining');
  return {
    rows: unanswered,
    more: (await mirror.readCursor(db)) !== null,
    total: { count: unanswered.length + remaining.count, more: remaining.more },
  };
}

export const refreshLikes = (db: HeartwardDb, signal?: AbortSignal) => refreshMirror(db, mirror, signal);
export const loadMoreLikes = (db: HeartwardDb) => fetchNextPage(db, mirror);

export const useLikes = () =>
  useCached({
    key: likesKey,
    read: readLikes,
    refresh: refreshLikes,
    isEmpty: ({ rows }) => rows.length === 0,
  });

/** Stores the time of the newest like that the member has seen in the list. */
export async function storeLikesSeenAt(db: HeartwardDb, rows: ReceivedLike[]): Promise<void> {
  const newest = rows[0]?.likedAt;
  if (newest) await setMeta(db, 'likes:seenAt', newest);
}

/**
 * Removes the like of a member who was liked or passed on, unless that pass is being undone.
 */
export async function removeLikeOf(db: HeartwardDb, userId: string): Promise<void> {
  await db.transaction('rw', db.likes, db.outbox, async () => {
    const undos = await db.outbox
      .filter(({ body }) => body.kind === 'unpass' && body.targetUserId === userId)
      .count();
    if (undos > 0) return;
    decidedGuard.markRemoved(db, userId);
    await db.likes.filter(({ user }) => user.id === userId).delete();
  });
}

/** Stores a like in answer to a received one. Shows a toast and rejects when it cannot be stored. */
export async function likeBack(db: HeartwardDb, like: ReceivedLike): Promise<void> {
  const stored = await decideOn(db, like, { kind: 'like', likeType: 'like' });
  if (stored === null) return;
  navigator.vibrate?.(12);
  if (!navigator.onLine) toast({ title: 'Like saved', description: "You're offline. We'll send it later." });
}

/** Stores a pass in answer to a like. Resolves with a function that undoes it, or null if it was answered before. */
export async function passOn(db: HeartwardDb, like: ReceivedLike): Promise<(() => Promise<void>) | null> {
  const passId = await decideOn(db, like, { kind: 'pass' });
  if (passId === null) return null;
  const passedAt = Date.now();
  return async () => {
    await undoPass(db, async () => {
      // The contact may have ended since, by a block.
      if (purgedSince(db, like.user.id, passedAt)) return null;
      await db.likes.put(like);
      return { id: like.user.id, passId };
    });
  };
}

const decideOn = (db: HeartwardDb, { id, user }: ReceivedLike, decision: Decision): Promise<string | null> =>
  decide(db, user.id, decision, {
    isUndecided: async () => (await db.likes.get(id)) !== undefined,
    change: () => db.likes.delete(id),
  });
