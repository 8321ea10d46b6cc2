import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { ActivityList } from '@/features/activity/ActivityList.tsx';
import ProfileScreen from '@/features/members/ProfileScreen.tsx';
import { ReferralPanel } from '@/features/referrals/ReferralPanel.tsx';
import { TierBadge } from '@/features/referrals/TierBadge.tsx';
import { refreshMe } from '@/session/session.ts';

export default function ProfileRoute() {
  const isFirstScreen = useLocation().key === 'default';
  // Refreshes the counters, which also change without an action of the member. They have just been fetched when the
  // visit begins here.
  useEffect(() => {
    if (!isFirstScreen) void refreshMe();
  }, [isFirstScreen]);
  return <ProfileScreen activity={<ActivityList />} badges={<TierBadge />} referrals={<ReferralPanel />} />;
}
