import { getMeta, setMeta } from '@/offline/store/meta.ts';
import type { MemberData } from '@/offline/store/purge.ts';

/** The other members of matches, and who asks to name the member. */
export const momentsData: MemberData = {
  remove: async (db, { userId }) => {
    const stored = await getMeta(db, 'moments');
    if (!stored) return;
    await setMeta(db, 'moments', {
      ...stored,
      items: stored.items.map((item) =>
        item.peer?.id === userId ? { ...item, peer: null, consent: 'none' as const } : item,
      ),
      consents: stored.consents.filter(({ from }) => from.id !== userId),
    });
  },
};
