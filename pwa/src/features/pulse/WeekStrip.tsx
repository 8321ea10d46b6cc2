import { Moon } from 'lucide-react';
import { useState } from 'react';
import { moods } from '@/offline/store/pulses.ts';
import { cn } from '@/ui';
import { formatLong, formatMonthDay, formatWeekday, isRestDay, weekTo } from './day.ts';
import { EntryText } from './EntryText.tsx';
import type { ShownEntry } from './pulse.ts';

type WeekStripProps = { today: string; entries: readonly ShownEntry[]; showsRest: boolean };

/** The last seven days as buttons; the chosen day's entry is below them. */
export function WeekStrip({ today, entries, showsRest }: WeekStripProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const byDate = new Map(entries.map((entry) => [entry.date, entry]));
  const dates = new Set(byDate.keys());
  const isRest = (date: string) => showsRest && isRestDay(dates, date, today);
  const entry = chosen ? byDate.get(chosen) : undefined;
  return (
    <section aria-labelledby="pulse-week" className="card p-5">
      <h2 className="font-display font-semibold text-lg" id="pulse-week">
        Your week
      </h2>
      <ol className="mt-3 grid grid-cols-7 gap-1">
        {weekTo(today).map((date) => (
          <li key={date}>
            <Day
              date={date}
              isChosen={chosen === date}
              isRest={isRest(date)}
              isToday={date === today}
              mood={byDate.get(date)?.mood}
              onClick={() => setChosen(chosen === date ? null : date)}
            />
          </li>
        ))}
      </ol>
      <div aria-live="polite">
        {chosen && (
          <div className="mt-3 border-line border-t pt-3">
            <p className="text-muted text-sm">{formatLong(chosen)}</p>
            {entry ? (
              <EntryText className="mt-1" entry={entry} />
            ) : (
              <p className="mt-1">
                {isRest(chosen) ? 'A rest day. Your streak goes on.' : 'Nothing written.'}
              </p>
            )}
          </div>
        )}
      </div>
    </section>
  );
}

type DayProps = {
  date: string;
  mood?: ShownEntry['mood'];
  isToday: boolean;
  isRest: boolean;
  isChosen: boolean;
  onClick: () => void;
};

function Day({ date, mood, isToday, isRest, isChosen, onClick }: DayProps) {
  return (
    <button
      aria-pressed={isChosen}
      className={cn(
        'flex min-h-16 w-full flex-col items-center justify-center gap-1 rounded-control transition-colors hover:bg-raised',
        isChosen && 'bg-raised',
      )}
      onClick={onClick}
      type="button"
    >
      <span className={cn('text-xs', isToday ? 'font-semibold' : 'text-muted')}>
        {formatWeekday(date)}
        <span className="sr-only">
          , {formatMonthDay(date)}: {mood ? moods[mood].label : isRest ? 'a rest day' : 'nothing written'}
        </span>
      </span>
      <span aria-hidden="true" className="flex size-6 items-center justify-center text-xl leading-none">
        {mood ? (
          moods[mood].emoji
        ) : isRest ? (
          <Moon className="size-4.5 text-muted" />
        ) : (
          <span className="size-2 rounded-full border border-control" />
        )}
      </span>
    </button>
  );
}
