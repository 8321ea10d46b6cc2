import ForYouScreen from '@/features/discovery/ForYouScreen.tsx';
import { Moving } from './Moving.tsx';

export default function ForYouRoute() {
  return (
    <Moving>
      <ForYouScreen />
    </Moving>
  );
}
