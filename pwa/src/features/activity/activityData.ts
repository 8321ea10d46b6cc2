import { getMeta, setMeta } from '@/offline/store/meta.ts';
import type { MemberData } from '@/offline/store/purge.ts';

/** Returns the entries of a list about a member. The server's next response has them without the name, or not at all. */
const entriesIn = (key: 'activity' | 'notifications'): MemberData => ({
  find: async (db, { userId }) => (await getMeta(db, key))?.items.filter(({ user }) => user?.id === userId),
  remove: async (db, { userId }) => {
    if (key === 'activity') {
      const stored = await getMeta(db, key);
      if (stored) await setMeta(db, key, { ...stored, items: stored.items.filter(isNotAbout(userId)) });
      return;
    }
    const stored = await getMeta(db, key);
    if (!stored) return;
    const items = stored.items.filter(isNotAbout(userId));
    const removed = stored.items.filter((item) => !item.isRead && !items.includes(item)).length;
    await setMeta(db, key, { ...stored, items });
    await setMeta(
      db,
      'notifications:unread',
      Math.max(0, (await getMeta(db, 'notifications:unread')) - removed),
    );
  },
});

const isNotAbout =
  (userId: string) =>
  ({ user }: { user: { id: string } | null }) =>
    user?.id !== userId;

export const activityData = entriesIn('activity');
export const notificationsData = entriesIn('notifications');
