import type { PulseMood } from '@/api/types.ts';
import { moods } from '@/offline/store/pulses.ts';
import { datesOf, formatMonth } from './day.ts';

const months = Array.from({ length: 12 }, (_, i) => i + 1);
const daysOfMonth = Array.from({ length: 31 }, (_, i) => i);

type YearTableProps = { year: number; byDate: ReadonlyMap<string, PulseMood> };

/** A year of moods as a table of days and months. */
export function YearTable({ year, byDate }: YearTableProps) {
  const columns = months.map((month) => datesOf(year, month));
  return (
    <table className="mt-3 w-full table-fixed text-xs">
      <caption className="sr-only">Moods of {year}</caption>
      <thead>
        <tr>
          <th className="w-6 font-normal text-muted" scope="col">
            <span className="sr-only">Day</span>
          </th>
          {columns.map(([first = '']) => (
            <th className="pb-1 font-normal text-muted" key={first} scope="col">
              <span aria-hidden="true">{formatMonth(first)[0]}</span>
              <span className="sr-only">{formatMonth(first)}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {daysOfMonth.map((day) => (
          <tr key={day}>
            <th className="pe-1.5 text-end font-normal text-muted tabular-nums" scope="row">
              {day + 1}
            </th>
            {columns.map((dates) => {
              const date = dates[day];
              const mood = date && byDate.get(date);
              return (
                <td className="p-px" key={dates[0]}>
                  {date && (
                    <div className="h-5 rounded-[3px] bg-raised" data-mood={mood}>
                      {mood && <span className="sr-only">{moods[mood].label}</span>}
                    </div>
                  )}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
