import { GalleryHorizontalEnd, LayoutGrid } from 'lucide-react';
import { Suspense } from 'react';
import { useSearchParams } from 'react-router';
import DiscoverScreen from '@/features/discovery/DiscoverScreen.tsx';
import { StartInvitation } from '@/features/members/StartInvitation.tsx';
import { DeckSkeleton, IconButton, lazyWithRetry, Screen } from '@/ui';
import { PauseNotice } from './PauseNotice.tsx';

const ForYouScreen = lazyWithRetry(() => import('@/features/discovery/ForYouScreen.tsx'));

/** Discover in its two modes: a grid, or one candidate at a time as on the home screen. */
export default function DiscoverRoute() {
  const [params, setParams] = useSearchParams();
  const oneByOne = params.get('mode') === 'for-you';
  const toggle = (
    <IconButton
      icon={oneByOne ? LayoutGrid : GalleryHorizontalEnd}
      label={oneByOne ? 'Show everyone as a grid' : 'Show one at a time'}
      onClick={() => setParams(oneByOne ? {} : { mode: 'for-you' }, { replace: true })}
    />
  );
  if (!oneByOne) {
    return (
      <>
        <StartInvitation />
        <DiscoverScreen actions={toggle} notice={<PauseNotice />} />
      </>
    );
  }
  return (
    <Suspense
      fallback={
        <Screen title="For You">
          <DeckSkeleton />
        </Screen>
      }
    >
      <ForYouScreen actions={toggle} notice={<PauseNotice />} />
    </Suspense>
  );
}
