/** Who likes the member and waits for an answer. */
import { api, unwrapPage } from '@/api/client.ts';
import type { ReceivedLike } from '@/api/types.ts';
import { enqueue, outboxTables } from '@/offline/outbox/outbox.ts';
import { useCached } from '@/offline/store/cached.ts';
import { getDb, type HeartwardDb } from '@/offline/store/db.ts';
import { setMeta } from '@/offline/store/meta.ts';
import { withQuotaRetry } from '@/offline/store/quota.ts';
import { spend } from '@/offline/sync/allowance.ts';
import { toast, toastError } from '@/ui';
import { continuePages, forgetTaken, nextOf, noteTaken, type PagedList, refreshPages } from './pages.ts';

export const likesKey = ['likes'] as const;

const list: PagedList<ReceivedLike> = {
  key: 'likes:next',
  table: (db) => db.likes,
  idOf: ({ id }) => id,
  atOf: ({ likedAt }) => likedAt,
  memberOf: ({ user }) => user.id,
  fetch: (cursor, signal) =>
    unwrapPage(api.GET('/api/likes/received', { params: { query: { cursor } }, signal })),
  gone: async (db) => {
    const answered = new Set<string>();
    for (const { body, state } of await db.outbox.orderBy('localSeq').toArray()) {
      if (state === 'failed') continue;
      if (body.kind === 'like') answered.add(body.toUserId);
      if (body.kind === 'pass') answered.add(body.targetUserId);
      if (body.kind === 'unpass') answered.delete(body.targetUserId);
    }
    return answered;
  },
};

export type Likes = { rows: ReceivedLike[]; more: boolean };

export async function readLikes(db: HeartwardDb): Promise<Likes> {
  const answered = await list.gone(db);
  const rows = await db.likes.orderBy('likedAt').reverse().toArray();
  return {
    rows: rows.filter(({ user }) => !answered.has(user.id)),
    more: (await nextOf(db, list.key)) !== null,
  };
}

export const refreshLikes = (db: HeartwardDb, signal?: AbortSignal) => refreshPages(db, list, signal);
export const moreLikes = () => continuePages(getDb(), list);

export const useLikes = () =>
  useCached({
    key: likesKey,
    read: readLikes,
    refresh: refreshLikes,
    isEmpty: ({ rows }) => rows.length === 0,
  });

/** The member has looked at the list: what is on it now is no longer new. */
export async function noteLikesSeen(rows: ReceivedLike[]): Promise<void> {
  const newest = rows[0]?.likedAt;
  if (newest) await setMeta(getDb(), 'likes:seenAt', newest);
}

/**
 * Somebody was liked or passed on, wherever that was: they no longer wait for an answer, unless the pass is being
 * taken back.
 */
export async function dropLikeOf(db: HeartwardDb, userId: string): Promise<void> {
  await db.transaction('rw', db.likes, db.outbox, async () => {
    const returning = await db.outbox
      .filter(({ body }) => body.kind === 'unpass' && body.targetUserId === userId)
      .count();
    if (returning > 0) return;
    noteTaken(list.key, userId);
    await db.likes.filter(({ user }) => user.id === userId).delete();
  });
}

/** Likes back: stored on the device, sent by the outbox. Rejects, after saying so, when it cannot be stored. */
export async function likeBack({ id, user }: ReceivedLike): Promise<void> {
  const sent = await answer(id, user.id, 'Failed to send like. Please try again.', async () => {
    await spend(getDb(), 'like');
    return enqueue({ kind: 'like', toUserId: user.id, likeType: 'like' });
  });
  if (!sent) return;
  navigator.vibrate?.(12);
  if (!navigator.onLine) toast({ title: 'Like saved', description: "You're offline. We'll send it later." });
}

/** Passes on somebody; resolves with the way to take that back. Null when they were answered before. */
export async function passOn(like: ReceivedLike): Promise<(() => Promise<void>) | null> {
  const targetUserId = like.user.id;
  const passId = await answer(like.id, targetUserId, 'Failed to pass. Please try again.', () =>
    enqueue({ kind: 'pass', targetUserId }),
  );
  return passId === null ? null : () => takeBack(like, passId);
}

async function takeBack(like: ReceivedLike, passId: string): Promise<void> {
  const targetUserId = like.user.id;
  const db = getDb();
  forgetTaken(list.key, targetUserId);
  await withQuotaRetry(db, () =>
    db.transaction('rw', [...outboxTables(db), db.likes], async () => {
      await enqueue({ kind: 'unpass', targetUserId, passId });
      await db.likes.put(like);
    }),
  );
}

/** Resolves with the id under which the answer is sent; null for the second of two taps. */
async function answer(
  id: string,
  userId: string,
  usual: string,
  send: () => Promise<string>,
): Promise<string | null> {
  const db = getDb();
  try {
    return await withQuotaRetry(db, () =>
      db.transaction('rw', [...outboxTables(db), db.likes, db.feed, db.meta], async () => {
        if (!(await db.likes.get(id))) return null;
        // Not before: a page stored just now would leave the member out, and the answer would count as given.
        noteTaken(list.key, userId);
        const sent = await send();
        await db.likes.delete(id);
        await db.feed.bulkDelete([
          ['forYou', userId],
          ['discover', userId],
        ]);
        return sent;
      }),
    );
  } catch (error) {
    forgetTaken(list.key, userId);
    toastError(usual);
    throw error;
  }
}
