import { getMeta, setMeta } from '@/offline/store/meta.ts';
import type { MemberData } from '@/offline/store/purge.ts';

/** The activity entries about a member. The server's next response has them without the name. */
export const activityData: MemberData = {
  find: async (db, { userId }) =>
    (await getMeta(db, 'activity'))?.items.filter(({ user }) => user?.id === userId),
  remove: async (db, { userId }) => {
    const activity = await getMeta(db, 'activity');
    if (!activity) return;
    const items = activity.items.filter(({ user }) => user?.id !== userId);
    await setMeta(db, 'activity', { ...activity, items });
  },
};
