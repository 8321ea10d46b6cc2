import { getMeta, setMeta } from '@/offline/store/meta.ts';
import type { MemberData } from '@/offline/store/purge.ts';

/** The partner of a couple, and who asks the member. The wall contains no member ids and is fetched again. */
export const graduationData: MemberData = {
  remove: async (db, { userId }) => {
    await db.meta.delete('legacyWall');
    const state = await getMeta(db, 'graduation');
    if (!state) return;
    await setMeta(db, 'graduation', {
      ...state,
      couple: state.couple?.partner?.id === userId ? null : state.couple,
      requests: (state.requests ?? []).filter(({ from }) => from.id !== userId),
    });
  },
};
