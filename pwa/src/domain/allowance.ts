/** The number of likes and super likes left today, cached on the device. */

import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, unwrap } from '@/api/client.ts';
import type { LikeAllowance, LikeType } from '@/api/types.ts';
import { senderOf } from '@/offline/outbox/sender.ts';
import { useCached, useDb } from '@/offline/store/cached.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { getMeta, setMeta } from '@/offline/store/meta.ts';

const KEY = 'likes:allowance';

export const readAllowance = async (db: HeartwardDb): Promise<LikeAllowance | null> =>
  (await getMeta(db, KEY)) ?? null;

/** Stores the server's allowance, reduced by the likes in the outbox. */
export async function refreshAllowance(db: HeartwardDb, signal?: AbortSignal): Promise<void> {
  const fetched = await unwrap(api.GET('/api/likes/allowance', { signal }));
  await db.transaction('rw', db.meta, db.outbox, async () => {
    const kinds = (await db.outbox.toArray()).flatMap(({ body, state }) =>
      body.kind === 'like' && state !== 'failed' ? [body.likeType] : [],
    );
    const value = kinds.reduce(minusOne, fetched);
    await setMeta(db, KEY, value);
  });
}

/** Reduces the stored allowance by a like that is being enqueued. Needs `db.meta` in the caller's transaction. */
export async function reduceAllowance(db: HeartwardDb, likeType: LikeType): Promise<void> {
  const before = await readAllowance(db);
  if (before) await setMeta(db, KEY, minusOne(before, likeType));
}

function minusOne(allowance: LikeAllowance, likeType: LikeType): LikeAllowance {
  const { likesLeft, superLikesLeft } = allowance;
  return likeType === 'super_like'
    ? { ...allowance, superLikesLeft: Math.max(0, superLikesLeft - 1) }
    : { ...allowance, likesLeft: Math.max(0, likesLeft - 1) };
}

/** Returns the allowance; it is fetched again after each like that was sent. */
export function useAllowance(): LikeAllowance | null {
  const db = useDb();
  const { data } = useCached({ key: [KEY], read: readAllowance, refresh: refreshAllowance });
  const client = useQueryClient();
  useEffect(
    () =>
      senderOf(db).onSettled(({ row }) => {
        if (row.kind === 'like') void client.invalidateQueries({ queryKey: ['refresh', KEY] });
      }),
    [client, db],
  );
  return data ?? null;
}

/** Returns the number of super likes left; null if it is unknown. */
export function superLikesLeft(allowance: LikeAllowance | null, now = Date.now()): number | null {
  if (!allowance) return null;
  const { superLikesLeft: left, superLikesResetAt } = allowance;
  // The reset time has passed since the allowance was fetched.
  if (left === 0 && superLikesResetAt && Date.parse(superLikesResetAt) <= now) return null;
  return left;
}
