import type { ReactNode } from 'react';
import { cn } from './cn.ts';

export type Tone = 'neutral' | 'ember' | 'plum' | 'marigold' | 'sage' | 'sky' | 'danger';

const soft: Record<Tone, string> = {
  neutral: 'bg-raised text-ink',
  ember: 'bg-ember-soft text-ember-strong',
  plum: 'bg-plum-soft text-plum',
  marigold: 'bg-marigold-soft text-marigold-ink',
  sage: 'bg-sage-soft text-sage',
  sky: 'bg-sky-soft text-sky',
  danger: 'bg-danger-soft text-danger',
};

type ChipProps = {
  children: ReactNode;
  tone?: Tone;
  /** The state of a chip with onClick. */
  selected?: boolean;
  onClick?: () => void;
  className?: string;
};

/** A short label; with `onClick` a toggle button. */
export function Chip({ children, tone = 'neutral', selected = false, onClick, className }: ChipProps) {
  if (!onClick) {
    return (
      <span
        className={cn(
          'inline-flex items-center wrap-break-word rounded-full px-3 py-1 font-medium text-sm',
          soft[tone],
          className,
        )}
      >
        {children}
      </span>
    );
  }
  return (
    <button
      aria-pressed={selected}
      className={cn(
        'inline-flex min-h-11 items-center rounded-full border px-4 font-medium text-sm transition-colors',
        selected
          ? 'border-ember bg-ember-soft text-ember-strong'
          : 'border-control bg-surface text-ink hover:bg-raised',
        className,
      )}
      onClick={onClick}
      type="button"
    >
      {children}
    </button>
  );
}

/** A state or a figure: "Verified", "Match!", "82%". */
export function Badge({
  children,
  tone = 'neutral',
  className,
}: {
  children: ReactNode;
  tone?: Tone;
  className?: string;
}) {
  return (
    <span
      className={cn(
        'inline-flex items-center gap-1 wrap-break-word rounded-full px-2.5 py-1 font-semibold text-xs',
        soft[tone],
        className,
      )}
    >
      {children}
    </span>
  );
}

type CountBadgeProps = { count: number; className?: string };

/** A count: nothing at zero, "99+" above 99. Hidden from screen readers; the parent's name has the number. */
export function CountBadge({ count, className }: CountBadgeProps) {
  if (count <= 0) return null;
  return (
    <span
      aria-hidden="true"
      className={cn(
        // Large text grows a little only, so that the icon beside it stays visible.
        'inline-grid h-[min(1.25rem,24px)] min-w-[min(1.25rem,24px)] place-items-center whitespace-nowrap rounded-full bg-ember px-[6px] font-bold text-[min(0.75rem,16px)] text-on-ember leading-none tabular-nums',
        className,
      )}
    >
      {count > 99 ? '99+' : count}
    </span>
  );
}
