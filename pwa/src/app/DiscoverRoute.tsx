import DiscoverScreen from '@/features/discovery/DiscoverScreen.tsx';
import { StartInvitation } from '@/features/members/StartInvitation.tsx';

export default function DiscoverRoute() {
  return (
    <>
      <StartInvitation />
      <DiscoverScreen />
    </>
  );
}
