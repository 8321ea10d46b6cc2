/** What the member has done, on the device: read, fetched, continued. */
import { api, unwrapPage } from '@/api/client.ts';
import { useCached } from '@/offline/store/cached.ts';
import { getDb, type HeartwardDb } from '@/offline/store/db.ts';
import { getMeta, type StoredActivity, setMeta } from '@/offline/store/meta.ts';
import { purgedSince } from '@/offline/store/purge.ts';

export const readActivity = async (db: HeartwardDb): Promise<StoredActivity | null> =>
  (await getMeta(db, 'activity')) ?? null;

/** A page, without those who were forgotten while the server answered. */
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

/** Puts the next page behind what is here. */
export async function continueActivity(): Promise<void> {
  const db = getDb();
  const here = await readActivity(db);
  if (!here?.next) return;
  const page = await fetchPage(here.next);
  await db.transaction('rw', db.meta, async () => {
    const now = await readActivity(db);
    // A first page that came meanwhile leads on by itself.
    if (now?.next !== here.next) return;
    await setMeta(db, 'activity', { items: [...now.items, ...page.items], next: page.next });
  });
}
