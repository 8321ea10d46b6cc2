/** The member's activity, mirrored on the device. */
import { api, unwrapPage } from '@/api/client.ts';
import { useCached } from '@/offline/store/cached.ts';
import { getDb, type HeartwardDb } from '@/offline/store/db.ts';
import { getMeta, type StoredActivity, setMeta } from '@/offline/store/meta.ts';
import { purgedSince } from '@/offline/store/purge.ts';

export const readActivity = async (db: HeartwardDb): Promise<StoredActivity | null> =>
  (await getMeta(db, 'activity')) ?? null;

/** Fetches a page, without members who were purged during the request. */
async function fetchPage(cursor?: string, signal?: AbortSignal): Promise<StoredActivity> {
  const since = Date.now();
  const page = await unwrapPage(api.GET('/api/users/me/activity', { params: { query: { cursor } }, signal }));
  return { ...page, items: page.items.filter(({ user }) => !user || !purgedSince(user.id, since)) };
}

export async function refreshActivity(db: HeartwardDb, signal?: AbortSignal): Promise<void> {
  await setMeta(db, 'activity', await fetchPage(undefined, signal));
}

export const useActivity = () =>
  useCached({
    key: ['activity'],
    read: readActivity,
    refresh: refreshActivity,
    isEmpty: (activity) => !activity?.items.length,
    staleMs: 0,
  });

/** Fetches the next page and appends it. */
export async function fetchNextActivity(): Promise<void> {
  const db = getDb();
  const stored = await readActivity(db);
  if (!stored?.next) return;
  const page = await fetchPage(stored.next);
  await db.transaction('rw', db.meta, async () => {
    const now = await readActivity(db);
    // A refresh has replaced the list meanwhile, with a cursor of its own.
    if (now?.next !== stored.next) return;
    await setMeta(db, 'activity', { items: [...now.items, ...page.items], next: page.next });
  });
}
