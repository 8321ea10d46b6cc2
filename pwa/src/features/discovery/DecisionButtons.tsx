import { Heart, type LucideIcon, Star, X } from 'lucide-react';
import { cn } from '@/ui';
import type { Decision } from './gesture.ts';

const buttons: { decision: Decision; label: string; keys: string; icon: LucideIcon; look: string }[] = [
  {
    decision: 'pass',
    label: 'Pass',
    keys: 'ArrowLeft',
    icon: X,
    look: 'size-14 border-line bg-surface text-danger hover:bg-raised',
  },
  {
    decision: 'super_like',
    label: 'Super like',
    keys: 'ArrowUp',
    icon: Star,
    look: 'size-13 border-line bg-surface text-marigold-ink hover:bg-raised',
  },
  {
    decision: 'like',
    label: 'Like',
    keys: 'ArrowRight',
    icon: Heart,
    look: 'size-16 border-ember bg-ember text-on-ember hover:bg-ember-strong [&_svg]:size-7',
  },
];

/** What a swipe does, as buttons. */
export function DecisionButtons({ onDecide }: { onDecide: (decision: Decision) => void }) {
  return (
    <div className="flex items-center justify-center gap-5 short:flex-col short:gap-3">
      {buttons.map(({ decision, label, keys, icon: Icon, look }) => (
        <button
          aria-keyshortcuts={keys}
          aria-label={label}
          className={cn(
            'grid place-items-center rounded-full border shadow-float',
            'transition-[scale,background-color] duration-150 active:scale-90 motion-reduce:active:scale-100',
            look,
          )}
          key={decision}
          onClick={() => onDecide(decision)}
          title={label}
          type="button"
        >
          <Icon aria-hidden="true" className="size-6" strokeWidth={1.75} />
        </button>
      ))}
    </div>
  );
}
