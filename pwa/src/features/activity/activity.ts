/** The member's activity, mirrored on the device. */
import { api, unwrapPage } from '@/api/client.ts';
import type { ActivityItem } from '@/api/types.ts';
import { useCached } from '@/offline/store/cached.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { getMeta, type StoredActivity, setMeta } from '@/offline/store/meta.ts';
import { fetchNextPage, type Mirror, refreshMirror } from '@/offline/sync/mirror.ts';

export const readActivity = async (db: HeartwardDb): Promise<StoredActivity | null> =>
  (await getMeta(db, 'activity')) ?? null;

const mirror: Mirror<ActivityItem> = {
  fetch: (_, cursor, signal) =>
    unwrapPage(api.GET('/api/users/me/activity', { params: { query: { cursor } }, signal })),
  memberOf: ({ user }) => user?.id,
  readCursor: async (db) => (await readActivity(db))?.next ?? null,
  tables: () => [],
  replace: (db, { items, next }) => setMeta(db, 'activity', { items, next }),
  append: async (db, { items, next }) => {
    const stored = await readActivity(db);
    await setMeta(db, 'activity', { items: [...(stored?.items ?? []), ...items], next });
  },
};

export const refreshActivity = (db: HeartwardDb, signal?: AbortSignal) => refreshMirror(db, mirror, signal);
export const fetchNextActivity = (db: HeartwardDb) => fetchNextPage(db, mirror);

export const useActivity = () =>
  useCached({
    key: ['activity'],
    read: readActivity,
    refresh: refreshActivity,
    isEmpty: (activity) => !activity?.items.length,
    staleMs: 0,
  });
