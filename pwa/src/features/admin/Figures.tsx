import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { describeLoadError } from '@/api/client.ts';
import type { KeyFigures } from '@/api/types.ts';
import { formatCount, formatDate, formatTime } from '@/base/format.ts';
import { useFailure } from '@/offline/store/cached.ts';
import { cn, EmptyState, ErrorState, Skeleton, Switch } from '@/ui';
import { type FigureRange, figureRanges, figuresQuery } from './adminRequests.ts';
import { FigureChart } from './FigureChart.tsx';
import { FigureTable } from './FigureTable.tsx';
import { dailyCharts, isEmpty, weeklyCharts } from './figures.ts';
import { OutcomeTable } from './OutcomeTable.tsx';

/** The key figures of the last days and weeks, as charts or tables. */
export function Figures() {
  const [range, setRange] = useState<FigureRange>(30);
  const [isTable, setIsTable] = useState(false);
  const query = useQuery(figuresQuery(range));
  const failure = useFailure(query);
  const figures = query.data;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <RangeChoice onChange={setRange} range={range} />
        <Switch
          checked={isTable}
          className="gap-3 font-medium text-sm"
          label="Show as table"
          onChange={setIsTable}
        />
      </div>
      {failure && (
        <ErrorState
          onRetry={query.refetch}
          text={describeLoadError(failure)}
          title="The figures could not be loaded"
        />
      )}
      {!figures && !failure && <FiguresSkeleton />}
      {figures && !failure && (
        <div
          aria-busy={query.isPlaceholderData}
          className={cn('flex flex-col gap-4', query.isPlaceholderData && 'loading-line')}
        >
          <Content figures={figures} isTable={isTable} />
        </div>
      )}
    </div>
  );
}

type RangeChoiceProps = { range: FigureRange; onChange: (range: FigureRange) => void };

function RangeChoice({ range, onChange }: RangeChoiceProps) {
  return (
    <fieldset className="flex rounded-control bg-raised p-1">
      <legend className="sr-only">Time</legend>
      {figureRanges.map((days) => (
        <label
          className="flex min-h-11 cursor-pointer items-center rounded-control px-4 font-semibold text-muted text-sm has-checked:bg-surface has-focus-visible:outline-2 has-checked:text-ink has-focus-visible:outline-focus"
          key={days}
        >
          <input
            checked={days === range}
            className="sr-only"
            name="range"
            onChange={() => onChange(days)}
            type="radio"
          />
          {days} days
        </label>
      ))}
    </fieldset>
  );
}

function Content({ figures, isTable }: { figures: KeyFigures; isTable: boolean }) {
  if (isEmpty(figures))
    return (
      <EmptyState
        art="road"
        text="They appear here from the first sign-up on, and count each day in UTC."
        title="No figures yet"
      />
    );
  const daily = dailyCharts(figures.days);
  const weekly = weeklyCharts(figures.weeks);
  return (
    <>
      {isTable ? (
        <>
          <FigureTable caption="Figures of each day" charts={daily} time="Day (UTC)" />
          <FigureTable caption="How evenly members were shown" charts={weekly} time="Week" />
        </>
      ) : (
        <>
          <Charts charts={daily} />
          <h2 className="mt-2 font-display font-semibold text-xl">How evenly members were shown</h2>
          <Charts charts={weekly} />
        </>
      )}
      <OutcomeTable outcomes={figures.outcomes} />
      <Notes figures={figures} />
    </>
  );
}

function Charts({ charts }: { charts: ReturnType<typeof dailyCharts> }) {
  return (
    <div className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
      {charts.map((chart) => (
        <FigureChart chart={chart} key={chart.title} />
      ))}
    </div>
  );
}

function Notes({ figures: { weeks } }: { figures: KeyFigures }) {
  const current = weeks.at(-1);
  return (
    <p className="max-w-3xl text-muted text-sm">
      A day begins at midnight UTC; today is counted up to now.{' '}
      {current && !current.isFinal
        ? `This week's showings of ${formatCount(current.members)} members were counted on ${formatDate(current.countedAt)}, ${formatTime(current.countedAt)}. Early in a week most members have not been shown yet.`
        : "This week's showings are counted once an hour."}
    </p>
  );
}

function FiguresSkeleton() {
  return (
    <div className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
      {Array.from({ length: 6 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the shapes never change
        <Skeleton className="h-64 rounded-card" key={index} />
      ))}
    </div>
  );
}
