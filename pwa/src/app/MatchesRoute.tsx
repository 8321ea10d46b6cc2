import { Suspense } from 'react';
import MatchesScreen from '@/features/matching/MatchesScreen.tsx';
import { lazyWithRetry } from '@/ui';

const InstallOffer = lazyWithRetry(() => import('./InstallOffer.tsx'));

/** The matches, with the offer to install the app. */
export default function MatchesRoute() {
  return (
    <MatchesScreen
      notice={
        <Suspense fallback={null}>
          <InstallOffer />
        </Suspense>
      }
    />
  );
}
