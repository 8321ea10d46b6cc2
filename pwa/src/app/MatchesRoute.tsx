import { lazy, Suspense } from 'react';
import MatchesScreen from '@/features/matching/MatchesScreen.tsx';

const Install = lazy(() => import('./Install.tsx'));

/** Everybody who liked the member back; the first of them is a moment to offer the app for the home screen. */
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
