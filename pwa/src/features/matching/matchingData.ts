import type { MemberData } from '@/offline/store/purge.ts';

/** The match, received likes and pass of a member. */
export const matchingData: MemberData = {
  find: async (db, { userId }) => [
    // Their like may name a photo of the signed-in member, which stays.
    (await db.matches.filter(({ user }) => user.id === userId).toArray()).map(({ user, myLike }) => [
      user,
      myLike,
    ]),
    (await db.likes.filter(({ user }) => user.id === userId).toArray()).map(({ user }) => user),
    await db.passes.get(userId),
  ],
  remove: async (db, { userId }) => {
    await db.matches.filter(({ user }) => user.id === userId).delete();
    await db.likes.filter(({ user }) => user.id === userId).delete();
    await db.passes.delete(userId);
  },
};
