import { LazyMotion } from 'motion/react';
import type { ReactNode } from 'react';

const features = () => import('./motionFeatures.ts').then((loaded) => loaded.default);

/** Provides the motion library, whose features are loaded after the screen is painted. */
export function MotionProvider({ children }: { children: ReactNode }) {
  return (
    <LazyMotion features={features} strict>
      {children}
    </LazyMotion>
  );
}
