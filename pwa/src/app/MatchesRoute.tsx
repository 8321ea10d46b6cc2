import { lazy, Suspense } from 'react';
import MatchesScreen from '@/features/matching/MatchesScreen.tsx';

const Install = lazy(() => import('./Install.tsx'));

/** The matches, with the offer to install the app. */
export default function MatchesRoute() {
  return (
    <MatchesScreen
      notice={
        <Suspense fallback={null}>
          <Install place="list" />
        </Suspense>
      }
    />
  );
}
