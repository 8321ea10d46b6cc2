/**
 * Elements that the animation library moves but does not draw. They are drawn before the library is loaded; drawing them
 * anew would lose the focus and a gesture in them.
 */
import { domMin, LazyMotion, MotionConfig } from 'motion/react';
import * as m from 'motion/react-m';
import { type ReactNode, type Ref, type RefObject, useImperativeHandle } from 'react';

type TakenOverProps = { element: RefObject<HTMLElement | null>; ref?: Ref<HTMLElement | null> };

/** An element of the library that renders nothing, but returns `element` as its own. It must be inside `Motion`. */
export const TakenOver = m.create(({ element, ref }: TakenOverProps) => {
  useImperativeHandle<HTMLElement | null, HTMLElement | null>(ref, () => element.current, [element]);
  return null;
});

/** The features of the library that the app uses, and the member's wish for less motion. */
export const Motion = ({ children }: { children: ReactNode }) => (
  <LazyMotion features={domMin} strict>
    <MotionConfig reducedMotion="user">{children}</MotionConfig>
  </LazyMotion>
);
