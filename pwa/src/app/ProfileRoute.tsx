import { useEffect } from 'react';
import { ActivityList } from '@/features/activity/ActivityList.tsx';
import ProfileScreen from '@/features/members/ProfileScreen.tsx';
import { ReferralPanel } from '@/features/referrals/ReferralPanel.tsx';
import { TierBadge } from '@/features/referrals/TierBadge.tsx';
import { refreshMe } from '@/session/session.ts';

export default function ProfileRoute() {
  // The counters are of now: matches, messages and referrals come without the member's doing.
  useEffect(() => void refreshMe(), []);
  return <ProfileScreen activity={<ActivityList />} badges={<TierBadge />} referrals={<ReferralPanel />} />;
}
