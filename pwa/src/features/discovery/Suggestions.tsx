import { ArrowRight } from 'lucide-react';
import type { FilterPreview, FilterSet } from '@/api/types.ts';

type SuggestionsProps = {
  suggestions: FilterPreview['suggestions'];
  onPick: (filters: FilterSet) => void;
  disabled?: boolean;
};

/** The server's suggestions, each a button that relaxes one filter or clears all of them. */
export function Suggestions({ suggestions, onPick, disabled }: SuggestionsProps) {
  if (suggestions.length === 0) return null;
  return (
    <ul aria-label="What would bring people back" className="mt-3 flex w-full flex-col gap-2">
      {suggestions.map(({ filter, text, filters }) => (
        <li key={filter + text}>
          <button
            className="flex min-h-11 w-full items-center justify-between gap-3 rounded-control border border-control bg-surface px-4 py-2 text-start font-medium text-ink text-sm transition-colors hover:bg-raised disabled:cursor-not-allowed disabled:opacity-55"
            disabled={disabled}
            // The generated type of an age range is a list of any length.
            onClick={() => onPick(filters as FilterSet)}
            type="button"
          >
            {text}
            <ArrowRight aria-hidden="true" className="size-4.5 shrink-0 text-ember-strong" />
          </button>
        </li>
      ))}
    </ul>
  );
}
