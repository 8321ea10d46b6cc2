import { type MotionValue, useMotionValueEvent } from 'motion/react';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import { cn } from '@/ui';
import { type Decision, stamps } from './gesture.ts';

const STAMPS: Record<Decision, { text: string; className: string }> = {
  like: { text: 'Like', className: 'top-14 left-5 -rotate-12 border-sage text-sage' },
  pass: { text: 'Pass', className: 'top-14 right-5 rotate-12 border-danger text-danger' },
  super_like: {
    text: 'Super like',
    className: 'inset-x-0 bottom-56 mx-auto w-fit -rotate-6 border-marigold text-marigold-ink',
  },
};

type StampsProps = {
  /** The card's offset. */
  position: { x: MotionValue<number>; y: MotionValue<number> };
  width: RefObject<number>;
  /** The decision of an exiting card, whose stamp is fully opaque. */
  decided: Decision | null;
};

const DECISIONS = ['like', 'pass', 'super_like'] as const;

/** The decision that releasing the card would make; fades in with the distance. */
export function Stamps({ position: { x, y }, width, decided }: StampsProps) {
  const elements = useRef<Partial<Record<Decision, HTMLSpanElement | null>>>({});
  // Elements of the library would be three more for each card, which take a slow phone longer than this.
  function draw() {
    const opacities = stamps({ x: x.get(), y: y.get() }, width.current);
    for (const decision of DECISIONS) {
      const opacity = decided ? Number(decided === decision) : opacities[decision];
      const element = elements.current[decision];
      if (element) element.style.opacity = String(opacity);
    }
  }
  useLayoutEffect(draw);
  useMotionValueEvent(x, 'change', draw);
  useMotionValueEvent(y, 'change', draw);
  return DECISIONS.map((decision) => (
    <span
      aria-hidden="true"
      className={cn(
        'pointer-events-none absolute rounded-control border-3 bg-surface px-4 py-1.5 font-display font-semibold text-2xl',
        STAMPS[decision].className,
      )}
      key={decision}
      ref={(element) => {
        elements.current[decision] = element;
      }}
    >
      {STAMPS[decision].text}
    </span>
  ));
}
