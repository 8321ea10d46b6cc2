import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react';
import { cn } from '@/ui';
import { type Chart, describePoint, describeTotal, hasValues, type Point } from './figures.ts';

const fills = { single: ['fill-ember'], pair: ['fill-control', 'fill-ember'] };
const swatches = ['bg-control', 'bg-ember'];

/**
 * A bar chart. It is a slider for the keyboard and screen readers: its value is the chosen day or week, which the
 * arrow keys, Home, End and the pointer change, and whose figures are written above the bars.
 */
export function FigureChart({ chart }: { chart: Chart }) {
  const id = useId();
  const { title, hint, series, points } = chart;
  return (
    <figure aria-labelledby={id} className="card flex min-w-0 flex-col gap-1 p-4">
      <figcaption>
        <span className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="font-display font-semibold text-lg" id={id}>
            {title}
          </span>
          <span className="text-muted text-sm tabular-nums">{describeTotal(chart)}</span>
        </span>
        <span className="block text-muted text-xs">{hint}</span>
      </figcaption>
      {series.length > 1 && (
        <ul className="flex flex-wrap gap-x-4 text-muted text-xs">
          {series.map((name, index) => (
            <li className="flex items-center gap-1.5" key={name}>
              <span aria-hidden="true" className={cn('size-3 rounded-sm', swatches[index])} />
              {name}
            </li>
          ))}
        </ul>
      )}
      {hasValues(chart) ? (
        <Plot chart={chart} key={points.length} />
      ) : (
        <p className="my-auto py-10 text-center text-muted text-sm">Nothing in this time.</p>
      )}
    </figure>
  );
}

/** Returns the index that a key chooses, or null for any other key. */
function targetOf(key: string, index: number, count: number): number | null {
  if (key === 'ArrowLeft' || key === 'ArrowDown') return Math.max(0, index - 1);
  if (key === 'ArrowRight' || key === 'ArrowUp') return Math.min(count - 1, index + 1);
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : null;
}

/** Time runs from left to right in every language, as it does in the drawing. */
function Plot({ chart }: { chart: Chart }) {
  const { title, points, series, format } = chart;
  const [chosen, setChosen] = useState(points.length - 1);
  const top = chart.top ?? Math.max(...points.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const point = points[chosen];
  const text = point ? describePoint(chart, point) : '';

  function onKeyDown(event: KeyboardEvent) {
    const target = targetOf(event.key, chosen, points.length);
    if (target === null) return;
    event.preventDefault();
    setChosen(target);
  }

  function onPointer({ currentTarget, clientX }: PointerEvent) {
    const { left, width } = currentTarget.getBoundingClientRect();
    const index = Math.floor(((clientX - left) / width) * points.length);
    setChosen(Math.min(points.length - 1, Math.max(0, index)));
  }

  return (
    <>
      <p aria-hidden="true" className="font-semibold text-sm tabular-nums">
        {text}
      </p>
      <div
        aria-label={`${title}, ${series.length > 1 ? `${series.join(' and ')}, ` : ''}choose a time`}
        aria-valuemax={points.length}
        aria-valuemin={1}
        aria-valuenow={chosen + 1}
        aria-valuetext={text}
        className="relative h-36 touch-pan-y rounded-sm"
        dir="ltr"
        onKeyDown={onKeyDown}
        onPointerDown={onPointer}
        onPointerMove={onPointer}
        role="slider"
        tabIndex={0}
      >
        <Bars chosen={chosen} points={points} top={top} />
        <span
          aria-hidden="true"
          className="pointer-events-none absolute top-0 inset-s-0 rounded-sm bg-surface px-1 text-muted text-xs tabular-nums opacity-90"
        >
          {format(top)}
        </span>
      </div>
      <div aria-hidden="true" className="flex justify-between gap-2 text-muted text-xs" dir="ltr">
        <span>{points[0]?.label}</span>
        {points.length > 1 && <span>{points.at(-1)?.label}</span>}
      </div>
    </>
  );
}

type BarsProps = { points: Point[]; top: number; chosen: number };

/** The bars, in units of one point and of hundredths of the height. Bars of later series stand before the others. */
function Bars({ points, top, chosen }: BarsProps) {
  const gap = points.length > 40 ? 0.1 : 0.15;
  return (
    <svg
      aria-hidden="true"
      className="size-full border-line border-y"
      preserveAspectRatio="none"
      viewBox={`0 0 ${points.length} 100`}
    >
      <rect className="fill-raised" height={100} width={1} x={chosen} y={0} />
      {points.map(({ label, values }, index) =>
        values.map((value, n) => {
          if (value === null || value === 0) return null;
          const height = Math.max(1.5, (value / top) * 100); // a small value is still seen
          const fill = (values.length > 1 ? fills.pair : fills.single)[n];
          return (
            <rect
              className={fill}
              height={height}
              key={`${label} ${fill}`}
              width={1 - 2 * gap}
              x={index + gap}
              y={100 - height}
            />
          );
        }),
      )}
    </svg>
  );
}
