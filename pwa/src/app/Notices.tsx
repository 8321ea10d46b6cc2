import { Suspense } from 'react';
import { useMember } from '@/session/session.ts';
import { lazyWithRetry } from '@/ui';

const MailBanner = lazyWithRetry(() => import('@/features/delivery/MailBanner.tsx'));
const PauseBanner = lazyWithRetry(() => import('@/features/profile/PauseBanner.tsx'));
const ReviewBanner = lazyWithRetry(() => import('@/features/profilereview/ReviewBanner.tsx'));
const VisitNotice = lazyWithRetry(() => import('./VisitNotice.tsx'));

/**
 * The banners above the first screen: the address takes no mail, the profile is not shown yet, it is paused, or the member
 * visits another town. Each is a separate chunk, which other members do not load.
 */
export function Notices() {
  const { isApproved, mailFails, paused, visit } = useMember();
  return (
    <>
      {mailFails && (
        <Suspense fallback={<div className="h-14" />}>
          <MailBanner />
        </Suspense>
      )}
      {!isApproved && (
        <Suspense fallback={<div className="h-14" />}>
          <ReviewBanner />
        </Suspense>
      )}
      {paused && (
        <Suspense fallback={<div className="h-14" />}>
          <PauseBanner />
        </Suspense>
      )}
      {visit && (
        <Suspense fallback={<div className="h-14" />}>
          <VisitNotice />
        </Suspense>
      )}
    </>
  );
}
