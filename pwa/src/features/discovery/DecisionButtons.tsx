import { Heart, type LucideIcon, Star, Undo2, X } from 'lucide-react';
import type { Candidate } from '@/api/types.ts';
import { cn, useRootMark } from '@/ui';
import type { Decision } from './gesture.ts';

type DecisionButton = { decision: Decision; label: string; keys: string; icon: LucideIcon; classes: string };

const buttons: DecisionButton[] = [
  {
    decision: 'pass',
    label: 'Pass',
    keys: 'ArrowLeft',
    icon: X,
    classes: 'size-[56px] border-line bg-surface text-danger hover:bg-raised',
  },
  {
    decision: 'super_like',
    label: 'Super like',
    keys: 'S',
    icon: Star,
    classes: 'size-[52px] border-line bg-surface text-marigold-ink hover:bg-raised',
  },
  {
    decision: 'like',
    label: 'Like',
    keys: 'ArrowRight',
    icon: Heart,
    classes: 'size-[64px] border-ember bg-ember text-on-ember hover:bg-ember-strong [&_svg]:size-[28px]',
  },
];

const round = cn(
  'relative grid shrink-0 place-items-center rounded-full border shadow-float disabled:cursor-not-allowed disabled:opacity-45',
  'transition-[scale,background-color,opacity] duration-150 active:scale-90 motion-reduce:active:scale-100',
);

type DecisionButtonsProps = {
  onDecide: (decision: Decision) => void;
  onUndo: () => void;
  /** The member whose pass Undo would revert. */
  lastPass: Candidate | null;
  /** The number of super likes left today; null if unknown. */
  superLikes: number | null;
  /** True while the next card waits for its picture. */
  disabled: boolean;
};

/** Buttons for the three decisions and Undo. Their size is fixed, so that they fit beside each other with large text. */
export function DecisionButtons({ onDecide, onUndo, lastPass, superLikes, disabled }: DecisionButtonsProps) {
  useRootMark('deck');
  const leftToday = superLikes === null ? '' : `, ${superLikes === 0 ? 'none' : superLikes} left today`;
  return (
    <div className="flex flex-wrap items-center justify-center gap-[20px] short:flex-col short:flex-nowrap short:gap-[12px]">
      <button
        aria-keyshortcuts="Z"
        aria-label={lastPass ? `Undo: bring ${lastPass.firstName} back` : 'Undo'}
        className={cn(round, 'size-[48px] border-line bg-surface text-muted hover:bg-raised hover:text-ink')}
        disabled={!lastPass}
        onClick={onUndo}
        title="Undo"
        type="button"
      >
        <Undo2 aria-hidden="true" className="size-[22px]" />
      </button>
      {buttons.map(({ decision, label, keys, icon: Icon, classes }) => (
        <button
          aria-keyshortcuts={keys}
          aria-label={decision === 'super_like' ? label + leftToday : label}
          className={cn(round, classes)}
          disabled={disabled}
          key={decision}
          onClick={() => onDecide(decision)}
          title={label}
          type="button"
        >
          <Icon aria-hidden="true" className="size-[24px]" />
          {decision === 'super_like' && superLikes !== null && (
            <span
              aria-hidden="true"
              className="absolute -top-1 -inset-e-1 grid h-[20px] min-w-[20px] place-items-center rounded-full border border-line bg-marigold-soft px-[4px] font-bold text-[12px] text-marigold-ink leading-none tabular-nums"
            >
              {superLikes}
            </span>
          )}
        </button>
      ))}
    </div>
  );
}
