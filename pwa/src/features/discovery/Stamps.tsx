import { type RefObject, useLayoutEffect, useRef } from 'react';
import { cn } from '@/ui';
import type { CardMotion } from './cardMotion.ts';
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
  motion: CardMotion;
  width: RefObject<number>;
  /** The decision of a leaving card, whose stamp is fully opaque. */
  decided: Decision | null;
};

/** The decision that releasing the card would make; fades in with the distance. */
export function Stamps(props: StampsProps) {
  return (['like', 'pass', 'super_like'] as const).map((decision) => (
    <Stamp decision={decision} key={decision} {...props} />
  ));
}

function Stamp({ motion, width, decided, decision }: StampsProps & { decision: Decision }) {
  const ref = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const draw = () => {
      const offset = { x: motion.get('x'), y: motion.get('y') };
      const opacity = decided ? Number(decided === decision) : stamps(offset, width.current)[decision];
      if (ref.current) ref.current.style.opacity = String(opacity);
    };
    draw();
    return motion.onChange(draw);
  }, [motion, width, decided, decision]);
  const { text, className } = STAMPS[decision];
  return (
    <span
      aria-hidden="true"
      className={cn(
        'pointer-events-none absolute rounded-control border-3 bg-surface px-4 py-1.5 font-display font-semibold text-2xl',
        className,
      )}
      ref={ref}
    >
      {text}
    </span>
  );
}
