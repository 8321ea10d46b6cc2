import { activityData, notificationsData } from '@/features/activity/activityData.ts';
import { communityData } from '@/features/community/communityData.ts';
import { datesData } from '@/features/dates/datesData.ts';
import { discoveryData } from '@/features/discovery/discoveryData.ts';
import { graduationData } from '@/features/graduation/graduationData.ts';
import { matchingData } from '@/features/matching/matchingData.ts';
import { momentsData } from '@/features/moments/momentsData.ts';
import { profilesData } from '@/features/profile/profilesData.ts';
import { pendingPathData } from '@/offline/device/tappedNotifications.ts';
import { outboxData } from '@/offline/outbox/outboxData.ts';
import { conversationsData } from '@/offline/store/conversationsData.ts';
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
    profilesData,
    outboxData,
    pendingPathData,
    graduationData,
  ];
  for (const data of memberData) onPurge(data);
}
