import { getMeta, setMeta } from '@/offline/store/meta.ts';
import type { MemberData } from '@/offline/store/purge.ts';

/** A member's cards in both lists, and their pass if it can be undone. */
export const discoveryData: MemberData = {
  find: async (db, { userId }) => [
    await db.feed.filter(({ id }) => id === userId).toArray(),
    (await getMeta(db, 'passes')).filter(({ id }) => id === userId),
  ],
  remove: async (db, { userId }) => {
    await db.feed.bulkDelete([
      ['forYou', userId],
      ['discover', userId],
    ]);
    const passes = await getMeta(db, 'passes');
    const remaining = passes.filter(({ id }) => id !== userId);
    if (remaining.length < passes.length) await setMeta(db, 'passes', remaining);
  },
};
