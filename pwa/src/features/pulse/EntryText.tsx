import type { PulseEntry } from '@/api/types.ts';
import { moods } from '@/offline/store/pulses.ts';

type EntryTextProps = {
  entry: Pick<PulseEntry, 'mood' | 'reflection'> & { question?: PulseEntry['question'] };
  className?: string;
};

/** The question, the mood and the reflection of an entry. */
export function EntryText({ entry: { question, mood, reflection }, className }: EntryTextProps) {
  return (
    <div className={className}>
      {question && <p className="font-medium">{question}</p>}
      <p className="wrap-anywhere whitespace-pre-line" dir="auto">
        <span className="font-semibold">
          <span aria-hidden="true">{moods[mood].emoji}</span> {moods[mood].label}:
        </span>{' '}
        {reflection}
      </p>
    </div>
  );
}
