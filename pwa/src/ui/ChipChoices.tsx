import { useId, useState } from 'react';
import { Chip } from './Chip.tsx';

/** From this number of options on, a list is long. */
const LONG = 20;
const SHOWN_OF_LONG = 10;

type ChipChoicesProps = {
  /** The labels of the options. */
  options: Record<string, string>;
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
};

/**
 * Toggle buttons of which any number can be selected. Of a long list, only the first options and the chosen ones are
 * shown until the rest is requested; all of them are then in alphabetical order.
 */
export function ChipChoices({ options, chosen, onChange }: ChipChoicesProps) {
  const id = useId();
  const [all, setAll] = useState(false);
  const entries = Object.entries(options);
  const isLong = entries.length >= LONG;
  const shown = isLong ? shownOf(entries, chosen, all) : entries;
  return (
    <div className="flex flex-wrap gap-2" id={id}>
      {shown.map(([option, label]) => (
        <Chip
          key={option}
          onClick={() => onChange(toggled(chosen, option))}
          selected={chosen.includes(option)}
        >
          {label}
        </Chip>
      ))}
      {isLong && (
        <button
          aria-controls={id}
          aria-expanded={all}
          className="inline-flex min-h-11 items-center px-2 font-semibold text-ember-strong text-sm underline underline-offset-4"
          onClick={() => setAll(!all)}
          type="button"
        >
          {all ? 'Show fewer' : `Show all ${entries.length}`}
        </button>
      )}
    </div>
  );
}

/** Removes a word from a list, or appends it. */
export function toggled(words: readonly string[], word: string): string[] {
  return words.includes(word) ? words.filter((other) => other !== word) : [...words, word];
}

type Entry = [option: string, label: string];

function shownOf(entries: Entry[], chosen: readonly string[], all: boolean): Entry[] {
  if (all) return entries.toSorted(([, a], [, b]) => a.localeCompare(b));
  return entries.filter(([option], index) => index < SHOWN_OF_LONG || chosen.includes(option));
}
