import type { MemberData } from '@/offline/store/purge.ts';

/** The stored profile of a member. */
export const profilesData: MemberData = {
  find: (db, { userId }) => db.profiles.get(userId),
  remove: (db, { userId }) => db.profiles.delete(userId),
};
