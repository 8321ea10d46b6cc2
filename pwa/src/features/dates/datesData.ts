import type { MemberData } from '@/offline/store/purge.ts';

/** The dates with a member. */
export const datesData: MemberData = {
  remove: (db, { conversationIds }) => db.dates.where('conversationId').anyOf(conversationIds).delete(),
};
