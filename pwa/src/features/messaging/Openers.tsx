import { Lightbulb } from 'lucide-react';
import type { Prompt } from '@/api/types.ts';
import { cn } from '@/ui';
import { openersFrom } from './opener.ts';

type OpenersProps = {
  prompts: readonly Pick<Prompt, 'answer'>[];
  /** Chooses the wordings: the id of the conversation, or of the recipient of a request. */
  seed: string;
  onPick: (opener: string) => void;
  className?: string;
};

/** First messages made from the answers of the other member's profile, as buttons; nothing without answers. */
export function Openers({ prompts, seed, onPick, className }: OpenersProps) {
  const openers = openersFrom(prompts, seed);
  if (openers.length === 0) return null;
  return (
    <section aria-labelledby="openers" className={cn('text-start text-sm', className)}>
      <h3 className="mb-2 flex items-center gap-2 text-muted" id="openers">
        <Lightbulb aria-hidden="true" className="size-4.5 shrink-0 text-marigold-ink" />
        Not sure how to begin?
      </h3>
      <ul className="flex flex-col gap-2">
        {openers.map((opener) => (
          <li key={opener}>
            <button
              className="wrap-anywhere w-full rounded-card border border-line bg-surface px-4 py-3 text-start hover:bg-raised"
              dir="auto"
              onClick={() => onPick(opener)}
              type="button"
            >
              {opener}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
