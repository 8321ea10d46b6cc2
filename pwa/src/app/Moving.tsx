import { LazyMotion } from 'motion/react';
import type { ReactNode } from 'react';

const features = () => import('./motionFeatures.ts').then((loaded) => loaded.default);

/** Screens with things that move: the library's engine arrives after they have been painted. */
export function Moving({ children }: { children: ReactNode }) {
  return (
    <LazyMotion features={features} strict>
      {children}
    </LazyMotion>
  );
}
