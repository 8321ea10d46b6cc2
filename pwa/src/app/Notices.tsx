import { Suspense } from 'react';
import { useMember } from '@/session/session.ts';
import { lazyWithRetry } from '@/ui';

const PauseBanner = lazyWithRetry(() => import('@/features/members/PauseBanner.tsx'));
const VisitNotice = lazyWithRetry(() => import('./VisitNotice.tsx'));

/** The banners of a paused profile and of a visit. Each is a separate chunk, which other members do not load. */
export function Notices() {
  const { paused, visit } = useMember();
  return (
    <>
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
