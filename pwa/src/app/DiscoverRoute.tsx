import { GalleryHorizontalEnd, LayoutGrid } from 'lucide-react';
import { useSearchParams } from 'react-router';
import DiscoverScreen from '@/features/discovery/DiscoverScreen.tsx';
import { StartInvitation, useStartInvitation } from '@/features/profile/StartInvitation.tsx';
import { IconButton } from '@/ui';
import { HomeScreen } from './HomeScreen.tsx';
import { Notices } from './Notices.tsx';
import { PeopleGate } from './PeopleGate.tsx';

/** Discover in its two modes: a grid, or one candidate at a time as on the home screen. */
export default function DiscoverRoute() {
  const [params, setParams] = useSearchParams();
  const { isInvited, dismiss } = useStartInvitation();
  const oneByOne = params.get('mode') === 'for-you';
  const toggle = (
    <IconButton
      icon={oneByOne ? LayoutGrid : GalleryHorizontalEnd}
      label={oneByOne ? 'Show everyone as a grid' : 'Show one at a time'}
      onClick={() => setParams(oneByOne ? {} : { mode: 'for-you' }, { replace: true })}
    />
  );
  if (oneByOne) return <HomeScreen actions={toggle} />;
  return (
    <PeopleGate>
      {isInvited && <StartInvitation onDismiss={dismiss} />}
      <DiscoverScreen actions={toggle} hasBanner={!isInvited} notice={<Notices />} />
    </PeopleGate>
  );
}
