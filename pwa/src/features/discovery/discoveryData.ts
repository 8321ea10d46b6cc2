import type { FilterPreview } from '@/api/types.ts';
import { getMeta, setMeta } from '@/offline/store/meta.ts';
import type { MemberData } from '@/offline/store/purge.ts';
import { queryClient } from '@/session/query.ts';

/** The first part of the query key of a preview. */
export const PREVIEW_KEY = 'preview';

/** A member's cards in both lists and in previews of filters, and the pass on them if it can be undone. */
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
    queryClient.setQueriesData<FilterPreview>(
      { queryKey: [PREVIEW_KEY] },
      (preview) => preview && withoutCandidate(preview, userId),
    );
    const passes = await getMeta(db, 'passes');
    const remaining = passes.filter(({ id }) => id !== userId);
    if (remaining.length < passes.length) await setMeta(db, 'passes', remaining);
  },
};

function withoutCandidate(preview: FilterPreview, id: string): FilterPreview {
  const candidates = preview.candidates.filter((candidate) => candidate.id !== id);
  const removed = preview.candidates.length - candidates.length;
  return { ...preview, candidates, count: preview.more ? preview.count : preview.count - removed };
}
