/**
 * Moves a card of the deck by the animation library: it follows the finger, springs back, or is thrown out. It
 * and the library are loaded after the first card is shown.
 */
import { animate, useMotionValue } from 'motion/react';
import { type Ref, type RefObject, useImperativeHandle, useMemo } from 'react';
import { Motion, TakenOver } from '@/ui/TakenOver.tsx';
import type { Exiting } from './deck.ts';
import { EXIT_SECONDS, exitEase, exitPoint, type Point, returnFrom, tilt } from './gesture.ts';
import { Stamps } from './Stamps.tsx';
import type { Mover } from './useSwipe.ts';

/** The spring of a card that is released without a decision. */
const SPRING = { type: 'spring', stiffness: 480, damping: 32, restDelta: 0.3, restSpeed: 8 } as const;
/** Where a card is unless it is dragged or leaves; one whose pass was undone moves there. */
const IN_PLACE = { x: 0, y: 0, transition: { duration: 0.36, ease: [0.2, 0.8, 0.3, 1] as const } };

type CardMoverProps = {
  ref: Ref<Mover>;
  /** The card's element, which is in the page before this. */
  card: RefObject<HTMLElement | null>;
  width: RefObject<number>;
  exiting: Exiting | null;
  /** Whether the card enters from the left, where it left. */
  returns: boolean;
  reducedMotion: boolean;
};

export default function CardMover(props: CardMoverProps) {
  return (
    <Motion>
      <MovedCard {...props} />
    </Motion>
  );
}

function MovedCard({ ref, card, width, exiting, returns, reducedMotion }: CardMoverProps) {
  const x = useMotionValue(0);
  const y = useMotionValue(0);
  const exit = useMemo(() => exiting && exitOf(exiting, { x: x.get(), y: y.get() }), [exiting, x, y]);

  useImperativeHandle(ref, () => ({
    stop() {
      x.stop();
      y.stop();
      return { x: x.get(), y: y.get() };
    },
    moveTo(offset) {
      x.set(offset.x);
      y.set(offset.y);
    },
    release(velocity) {
      animate(x, 0, { ...SPRING, velocity: velocity.x });
      animate(y, 0, { ...SPRING, velocity: velocity.y });
    },
  }));

  // With reduced motion the card stays in place; stamps and fading show the decision.
  const drawTransform = (_: unknown, moved: string) =>
    reducedMotion || moved === 'none' ? 'none' : `${moved} rotate(${tilt(x.get(), width.current)}deg)`;

  return (
    <>
      <TakenOver
        animate={exit ?? IN_PLACE}
        element={card}
        initial={{ x: returns ? returnFrom(innerWidth) : 0, y: 0 }}
        style={{ x, y }}
        transformTemplate={drawTransform}
      />
      <Stamps decided={exiting?.decision ?? null} position={{ x, y }} width={width} />
    </>
  );
}

/** Returns the animation of an exiting card: it is thrown out of sight from where it is, at the speed of the finger. */
function exitOf({ decision, sizes, velocity }: Exiting, from: Point) {
  const to = exitPoint(decision, from, velocity, sizes.card, sizes.viewport);
  const axis = decision === 'super_like' ? 'y' : 'x';
  const ease = exitEase(to[axis] - from[axis], velocity[axis]);
  return { ...to, transition: { duration: EXIT_SECONDS, ease } };
}
