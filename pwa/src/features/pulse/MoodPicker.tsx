import { useId } from 'react';
import type { PulseMood } from '@/api/types.ts';
import { moods } from '@/offline/store/pulses.ts';

const names = Object.keys(moods) as PulseMood[];

/** Seven moods, of which one is chosen. The arrow keys choose, as in any group of radio buttons. */
export function MoodPicker({
  value,
  onChange,
}: {
  value: PulseMood | null;
  onChange: (mood: PulseMood) => void;
}) {
  const group = useId();
  return (
    <fieldset>
      <legend className="font-medium text-sm">How do you feel?</legend>
      <div className="mt-2 flex flex-wrap gap-2">
        {names.map((name) => (
          <label
            className="relative flex min-h-18 min-w-max flex-[1_1_4.25rem] cursor-pointer flex-col items-center justify-center gap-1 rounded-control border border-line px-1.5 py-2 text-center transition-colors hover:border-muted has-checked:border-ember has-checked:bg-ember-soft has-focus-visible:outline-2 has-focus-visible:outline-focus has-focus-visible:outline-offset-2"
            key={name}
          >
            <input
              checked={value === name}
              className="absolute inset-0 size-full cursor-pointer opacity-0"
              name={group}
              onChange={() => onChange(name)}
              type="radio"
            />
            <span aria-hidden="true" className="text-2xl leading-none">
              {moods[name].emoji}
            </span>
            <span className="text-xs">{moods[name].label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
