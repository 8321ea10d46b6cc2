import { getMeta, setMeta } from '@/offline/store/meta.ts';
import type { MemberData } from '@/offline/store/purge.ts';

/** The referral by which a member joined. */
export const referralsData: MemberData = {
  remove: async (db, { userId }) => {
    const referrals = await getMeta(db, 'referrals');
    if (!referrals) return;
    const recent = referrals.recent.filter(({ referredUserId }) => referredUserId !== userId);
    await setMeta(db, 'referrals', { ...referrals, recent });
  },
};
