import type { MemberData } from '@/offline/store/purge.ts';

/** The member's profile, stored for reading offline. */
export const membersData: MemberData = {
  find: (db, { userId }) => db.profiles.get(userId),
  remove: (db, { userId }) => db.profiles.delete(userId),
};
