import { Suspense, useEffect } from 'react';
import { useLocation } from 'react-router';
import { ActivityList } from '@/features/activity/ActivityList.tsx';
import ProfileScreen from '@/features/profile/ProfileScreen.tsx';
import { ReferralPanel } from '@/features/referrals/ReferralPanel.tsx';
import { TierBadge } from '@/features/referrals/TierBadge.tsx';
import { VerificationCard } from '@/features/verification/VerificationCard.tsx';
import { whenIdle } from '@/offline/store/idle.ts';
import { refreshMe, useMember } from '@/session/session.ts';
import { lazyWithRetry, Skeleton } from '@/ui';
import { ProfileLinks } from './ProfileLinks.tsx';

const Settings = lazyWithRetry(() => import('@/features/account/Settings.tsx'));
const ReviewCard = lazyWithRetry(() => import('@/features/profilereview/ReviewCard.tsx'));

export default function ProfileRoute() {
  const isFirstScreen = useLocation().key === 'default';
  // Refreshes the counters, which also change without an action of the member. They have just been fetched when the
  // visit begins here.
  useEffect(() => {
    if (!isFirstScreen) void refreshMe();
  }, [isFirstScreen]);
  // So that the tab opens with its contents.
  useEffect(() => void whenIdle().then(Settings.preload), []);
  const me = useMember();
  const { isApproved, photoHeld } = me;
  const review = (!isApproved || photoHeld) && (
    <Suspense fallback={<Skeleton className="h-28 rounded-card" />}>
      <ReviewCard />
    </Suspense>
  );
  return (
    <ProfileScreen
      activity={<ActivityList />}
      badges={<TierBadge />}
      links={<ProfileLinks me={me} />}
      referrals={<ReferralPanel />}
      review={review}
      settings={
        <Suspense fallback={<Skeleton className="h-dvh" />}>
          <Settings me={me} />
        </Suspense>
      }
      verification={<VerificationCard me={me} />}
    />
  );
}
