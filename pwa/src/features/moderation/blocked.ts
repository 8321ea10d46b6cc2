/** The blocked members, mirrored on the device. */
import { api, unwrapPage } from '@/api/client.ts';
import { useCached } from '@/offline/store/cached.ts';
import type { BlockedRow, HeartwardDb } from '@/offline/store/db.ts';
import { fetchAllPages } from '@/offline/sync/mirror.ts';

const readBlocked = (db: HeartwardDb): Promise<BlockedRow[]> =>
  db.blocks.orderBy('blockedAt').reverse().toArray();

async function refreshBlocked(db: HeartwardDb, signal: AbortSignal): Promise<void> {
  const rows = await fetchAllPages((cursor) =>
    unwrapPage(api.GET('/api/blocks', { params: { query: { cursor } }, signal })),
  );
  await db.transaction('rw', db.blocks, async () => {
    await db.blocks.clear();
    await db.blocks.bulkPut(rows);
  });
}

export const useBlocked = () =>
  useCached({ key: ['blocks'], read: readBlocked, refresh: refreshBlocked, staleMs: 0 });
