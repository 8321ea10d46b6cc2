import { lazy, Suspense } from 'react';
import { DeckSkeleton, Screen } from '@/ui';

const load = () => import('./ForYouRoute.tsx');
const ForYouScreen = lazy(load);

/** Fetches the deck while the server is still asked who is here. */
export function preloadHome(): void {
  load().catch(() => undefined);
}

/** The deck, loaded only for members: a signed-out visitor at / never fetches it. */
export function HomeScreen() {
  return (
    <Suspense fallback={<Waiting />}>
      <ForYouScreen />
    </Suspense>
  );
}

function Waiting() {
  return (
    <Screen title="For You">
      <DeckSkeleton />
    </Screen>
  );
}
