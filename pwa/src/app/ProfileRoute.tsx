import { useEffect } from 'react';
import { ActivityList } from '@/features/activity/ActivityList.tsx';
import ProfileScreen from '@/features/members/ProfileScreen.tsx';
import { ReferralPanel } from '@/features/referrals/ReferralPanel.tsx';
import { TierBadge } from '@/features/referrals/TierBadge.tsx';
import { refreshMe } from '@/session/session.ts';

export default function ProfileRoute() {
  // Refreshes the counters, which also change without an action of the member.
  useEffect(() => void refreshMe(), []);
  return <ProfileScreen activity={<ActivityList />} badges={<TierBadge />} referrals={<ReferralPanel />} />;
}
