import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useId, useState } from 'react';
import type { PulseMood } from '@/api/types.ts';
import { useDb } from '@/offline/store/cached.ts';
import { moods } from '@/offline/store/pulses.ts';
import { Button, cn, IconButton, lineKey } from '@/ui';
import { datesOf, formatLong, formatMonth, formatMonthDay, weekdayOf } from './day.ts';
import { EntryText } from './EntryText.tsx';
import './moods.css';
import { fetchDay, type ShownEntry, useYear } from './pulse.ts';
import { YearTable } from './YearTable.tsx';
import { moveDay } from './yearKeys.ts';

const FIRST_YEAR = 2000;
const months = Array.from({ length: 12 }, (_, i) => i + 1);

type YearViewProps = { today: string; entries: readonly ShownEntry[] };

/** A year of moods, one small square a day, with the chosen day's entry and the moods counted in words. */
export function YearView({ today, entries }: YearViewProps) {
  const thisYear = Number(today.slice(0, 4));
  const [year, setYear] = useState(thisYear);
  const stored = useYear(year);
  const [chosen, setChosen] = useState(today);
  const [isTable, setIsTable] = useState(false);
  const byDate = new Map<string, PulseMood>((stored.data ?? []).map(({ date, mood }) => [date, mood]));
  for (const { date, mood } of entries) if (date.startsWith(`${year}-`)) byDate.set(date, mood);

  function goTo(next: number) {
    setYear(next);
    setChosen(next === thisYear ? today : `${next}-12-31`);
  }

  return (
    <section aria-labelledby="pulse-year" className="card p-5">
      <div className="flex flex-wrap items-center justify-between gap-x-2">
        <h2 className="font-display font-semibold text-lg" id="pulse-year">
          Your year in moods
        </h2>
        <div className="flex items-center">
          <IconButton
            disabled={year <= FIRST_YEAR}
            icon={ChevronLeft}
            label="Previous year"
            onClick={() => goTo(year - 1)}
          />
          <span aria-live="polite" className="min-w-10 text-center font-semibold tabular-nums">
            {year}
          </span>
          <IconButton
            disabled={year >= thisYear}
            icon={ChevronRight}
            label="Next year"
            onClick={() => goTo(year + 1)}
          />
        </div>
      </div>
      {isTable ? (
        <YearTable byDate={byDate} year={year} />
      ) : (
        <>
          <MoodGrid byDate={byDate} chosen={chosen} onChoose={setChosen} today={today} year={year} />
          <ChosenDay date={chosen} entries={entries} mood={byDate.get(chosen)} />
        </>
      )}
      <MoodCounts byDate={byDate} />
      <Button className="mt-4" onClick={() => setIsTable(!isTable)} size="sm" variant="secondary">
        {isTable ? 'Show as a calendar' : 'Show as a table'}
      </Button>
      {stored.state === 'error' && (
        <p className="mt-3 text-muted text-sm">
          Not all days of {year} are on this device. They'll load when you're online.
        </p>
      )}
    </section>
  );
}

type GridProps = {
  year: number;
  today: string;
  byDate: ReadonlyMap<string, PulseMood>;
  chosen: string;
  onChoose: (date: string) => void;
};

/** A list box of days: one stop for the keyboard, in which the arrow keys move by days and weeks. */
function MoodGrid({ year, today, byDate, chosen, onChoose }: GridProps) {
  const id = useId();
  const last = year === Number(today.slice(0, 4)) ? today : `${year}-12-31`;

  function onKeyDown(event: KeyboardEvent) {
    const next = moveDay(lineKey(event.key), chosen, `${year}-01-01`, last);
    if (next === null) return;
    event.preventDefault();
    onChoose(next);
  }

  return (
    <div
      aria-activedescendant={`${id}-${chosen}`}
      aria-describedby={`${id}-help`}
      aria-label={`Moods of ${year}`}
      className="mt-3 grid grid-cols-3 gap-x-4 gap-y-3 rounded-control sm:grid-cols-4 lg:grid-cols-6"
      onClick={({ target }) => {
        const date = (target as Element).closest<HTMLElement>('[data-date]')?.dataset.date;
        if (date) onChoose(date);
      }}
      onKeyDown={onKeyDown}
      role="listbox"
      tabIndex={0}
    >
      <p className="sr-only" id={`${id}-help`} role="presentation">
        Arrow keys go by days and weeks, Page Up and Page Down by months.
      </p>
      {months.map((month) => {
        const dates = datesOf(year, month);
        const first = dates[0] as string;
        return (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be within a list box.
          <div aria-label={formatMonth(first)} key={month} role="group">
            <p aria-hidden="true" className="mb-1 text-muted text-xs">
              {formatMonth(first).slice(0, 3)}
            </p>
            <div className="grid grid-cols-7 gap-0.5" role="presentation">
              {dates.map((date, i) => (
                <Day
                  chosen={date === chosen}
                  date={date}
                  id={`${id}-${date}`}
                  isFuture={date > last}
                  key={date}
                  mood={byDate.get(date)}
                  offset={i === 0 ? weekdayOf(date) : 0}
                />
              ))}
            </div>
          </div>
        );
      })}
    </div>
  );
}

/** The column of a month's first day, from Sunday. */
const columns = [
  '',
  'col-start-2',
  'col-start-3',
  'col-start-4',
  'col-start-5',
  'col-start-6',
  'col-start-7',
];

type DayProps = {
  id: string;
  date: string;
  mood: PulseMood | undefined;
  chosen: boolean;
  isFuture: boolean;
  offset: number;
};

function Day({ id, date, mood, chosen, isFuture, offset }: DayProps) {
  const classes = cn('aspect-square rounded-[3px]', columns[offset]);
  if (isFuture) return <span aria-hidden="true" className={cn(classes, 'border border-line')} />;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list box has the focus, with aria-activedescendant.
    <span
      aria-label={`${formatMonthDay(date)}: ${mood ? moods[mood].label : 'nothing written'}`}
      aria-selected={chosen}
      className={cn(classes, 'cursor-pointer bg-raised', chosen && 'outline-2 outline-ink outline-offset-1')}
      data-date={date}
      data-mood={mood}
      id={id}
      role="option"
    />
  );
}

type ChosenDayProps = { date: string; mood: PulseMood | undefined; entries: readonly ShownEntry[] };

function ChosenDay({ date, mood, entries }: ChosenDayProps) {
  const db = useDb();
  const known = entries.find((entry) => entry.date === date);
  const [wanted, setWanted] = useState<string | null>(null);
  const query = useQuery({
    queryKey: ['love-pulse', 'day', date],
    queryFn: ({ signal }) => fetchDay(db, date, signal),
    enabled: wanted === date && !known,
    networkMode: 'always',
  });
  const entry = known ?? query.data;
  return (
    <div className="mt-4 min-h-16 border-line border-t pt-3">
      <p className="text-muted text-sm">{formatLong(date)}</p>
      {entry ? (
        <EntryText className="mt-1" entry={entry} />
      ) : mood ? (
        <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
          <p className="font-semibold">
            <span aria-hidden="true">{moods[mood].emoji}</span> {moods[mood].label}
          </p>
          <Button busy={query.isFetching} onClick={() => setWanted(date)} size="sm" variant="secondary">
            Read what you wrote
          </Button>
          {query.isError && <p className="text-muted text-sm">You need a connection to read this day.</p>}
        </div>
      ) : (
        <p className="mt-1">Nothing written.</p>
      )}
    </div>
  );
}

/** The legend of the colours and shapes, and the year in words. */
function MoodCounts({ byDate }: { byDate: ReadonlyMap<string, PulseMood> }) {
  const counts = new Map<PulseMood, number>();
  for (const mood of byDate.values()) counts.set(mood, (counts.get(mood) ?? 0) + 1);
  return (
    <ul aria-label="Days of each mood" className="mt-4 flex flex-wrap gap-x-4 gap-y-1.5 text-sm">
      {(Object.keys(moods) as PulseMood[]).map((mood) => {
        const days = counts.get(mood) ?? 0;
        return (
          <li className="flex items-center gap-1.5" key={mood}>
            <span aria-hidden="true" className="size-4 rounded-[3px]" data-mood={mood} />
            {moods[mood].label}
            <span className="text-muted tabular-nums">
              {days} <span className="sr-only">{days === 1 ? 'day' : 'days'}</span>
            </span>
          </li>
        );
      })}
    </ul>
  );
}
