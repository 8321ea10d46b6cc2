import { activityData, notificationsData } from '@/features/activity/memberData.ts';
import { communityData } from '@/features/community/memberData.ts';
import { datesData } from '@/features/dates/memberData.ts';
import { discoveryData } from '@/features/discovery/memberData.ts';
import { graduationData } from '@/features/graduation/memberData.ts';
import { matchingData } from '@/features/matching/memberData.ts';
import { membersData } from '@/features/members/memberData.ts';
import { momentsData } from '@/features/moments/memberData.ts';
import { pendingPathData } from '@/offline/device/notifications.ts';
import { outboxData } from '@/offline/outbox/memberData.ts';
import { conversationsData } from '@/offline/store/memberData.ts';
import { onPurge } from '@/offline/store/purge.ts';

/**
 * Registers what the features store about other members, also of features whose screens are not loaded. Call it before
 * anything that may purge a member.
 */
export function registerMemberData(): void {
  const memberData = [
    activityData,
    notificationsData,
    communityData,
    conversationsData,
    datesData,
    discoveryData,
    matchingData,
    momentsData,
    membersData,
    outboxData,
    pendingPathData,
    graduationData,
  ];
  for (const data of memberData) onPurge(data);
}
