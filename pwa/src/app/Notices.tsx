import { type ReactNode, Suspense } from 'react';
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
        <BannerSlot>
          <MailBanner />
        </BannerSlot>
      )}
      {!isApproved && (
        <BannerSlot>
          <ReviewBanner />
        </BannerSlot>
      )}
      {paused && (
        <BannerSlot>
          <PauseBanner />
        </BannerSlot>
      )}
      {visit && (
        <BannerSlot>
          <VisitNotice />
        </BannerSlot>
      )}
    </>
  );
}

/** Has the height of a banner while its chunk is loaded. */
const BannerSlot = ({ children }: { children: ReactNode }) => (
  <Suspense fallback={<div className="h-14" />}>{children}</Suspense>
);
