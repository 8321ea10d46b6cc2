import type { ReactNode } from 'react';
import ForYouScreen from '@/features/discovery/ForYouScreen.tsx';
import { Moving } from './Moving.tsx';

export default function ForYouRoute({ actions }: { actions?: ReactNode }) {
  return (
    <Moving>
      <ForYouScreen actions={actions} />
    </Moving>
  );
}
