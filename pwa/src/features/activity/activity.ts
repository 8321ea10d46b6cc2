/** What the member has done, on the device: read, fetched, continued. */
import { api, unwrapPage } from '@/api/client.ts';
import type { ActivityItem } from '@/api/types.ts';
import { useCached } from '@/offline/cached.ts';
import { getDb, type HeartwardDb } from '@/offline/db.ts';

type Activity = {
  items: ActivityItem[];
  /** Cursor of the next page; null when all is here. */
  next: string | null;
};

const metaKey = 'activity';

async function readActivity(db: HeartwardDb): Promise<Activity | null> {
  return ((await db.meta.get(metaKey))?.value as Activity | undefined) ?? null;
}

function fetchPage(cursor?: string, signal?: AbortSignal) {
  return unwrapPage(api.GET('/api/users/me/activity', { params: { query: { cursor } }, signal }));
}

export const useActivity = () =>
  useCached({
    key: ['activity'],
    read: readActivity,
    refresh: async (db, signal) => {
      await db.meta.put({ key: metaKey, value: await fetchPage(undefined, signal) });
    },
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
    const items = [...now.items, ...page.items];
    await db.meta.put({ key: metaKey, value: { items, next: page.next } });
  });
}
