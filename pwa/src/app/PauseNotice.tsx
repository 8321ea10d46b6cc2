import { Suspense } from 'react';
import { useMember } from '@/session/session.ts';
import { lazyWithRetry } from '@/ui';

const PauseBanner = lazyWithRetry(() => import('@/features/members/PauseBanner.tsx'));

/** The banner of a paused member. It is a separate chunk, which other members do not load. */
export function PauseNotice() {
  const { paused } = useMember();
  if (!paused) return null;
  return (
    <Suspense fallback={<div className="h-14" />}>
      <PauseBanner />
    </Suspense>
  );
}
