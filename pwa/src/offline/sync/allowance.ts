/** How many likes and super likes the day still has, as the device knows it. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, unwrap } from '../../api/client.ts';
import type { LikeAllowance, LikeType } from '../../api/types.ts';
import { onSettled } from '../outbox/outbox.ts';
import { useCached } from '../store/cached.ts';
import type { HeartwardDb } from '../store/db.ts';
import { getMeta, setMeta } from '../store/meta.ts';

const KEY = 'likes:allowance';

export const readAllowance = async (db: HeartwardDb): Promise<LikeAllowance | null> =>
  (await getMeta(db, KEY)) ?? null;

/** Takes the server's figures, less the likes that it has not heard of yet. */
export async function refreshAllowance(db: HeartwardDb, signal?: AbortSignal): Promise<void> {
  const fetched = await unwrap(api.GET('/api/likes/allowance', { signal }));
  await db.transaction('rw', db.meta, db.outbox, async () => {
    const kinds = (await db.outbox.toArray()).flatMap(({ body, state }) =>
      body.kind === 'like' && state !== 'failed' ? [body.likeType] : [],
    );
    const value = kinds.reduce(less, fetched);
    await setMeta(db, KEY, value);
  });
}

/** One like is spent, before the server knows. Needs `db.meta` in the caller's transaction. */
export async function spend(db: HeartwardDb, likeType: LikeType): Promise<void> {
  const before = await readAllowance(db);
  if (before) await setMeta(db, KEY, less(before, likeType));
}

function less(allowance: LikeAllowance, likeType: LikeType): LikeAllowance {
  const { likesLeft, superLikesLeft } = allowance;
  return likeType === 'super_like'
    ? { ...allowance, superLikesLeft: Math.max(0, superLikesLeft - 1) }
    : { ...allowance, likesLeft: Math.max(0, likesLeft - 1) };
}

/** Kept true while the screen is open: asked again whenever a like was answered. */
export function useAllowance(): LikeAllowance | null {
  const { data } = useCached({ key: [KEY], read: readAllowance, refresh: refreshAllowance });
  const client = useQueryClient();
  useEffect(
    () =>
      onSettled(({ row }) => {
        if (row.kind === 'like') void client.invalidateQueries({ queryKey: ['refresh', KEY] });
      }),
    [client],
  );
  return data ?? null;
}

/** How many super likes are left; null when that is not known, and then the server decides. */
export function superLikesLeft(allowance: LikeAllowance | null, now = Date.now()): number | null {
  if (!allowance) return null;
  const { superLikesLeft: left, superLikesResetAt } = allowance;
  // The moment of new ones has passed since the server was asked.
  if (left === 0 && superLikesResetAt && Date.parse(superLikesResetAt) <= now) return null;
  return left;
}
