import type { ReactNode } from 'react';
import ForYouScreen from '@/features/discovery/ForYouScreen.tsx';
import { MotionProvider } from './MotionProvider.tsx';

export default function ForYouRoute({ actions }: { actions?: ReactNode }) {
  return (
    <MotionProvider>
      <ForYouScreen actions={actions} />
    </MotionProvider>
  );
}
