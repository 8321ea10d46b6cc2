import type { Chart } from './figures.ts';

type FigureTableProps = {
  caption: string;
  /** The heading of the first column: the day or the week. */
  time: string;
  /** Charts with the same points. */
  charts: Chart[];
};

/** The figures of several charts as a table, newest first. */
export function FigureTable({ caption, time, charts }: FigureTableProps) {
  const columns = charts.flatMap((chart) =>
    chart.series.map((name, index) => ({
      name: chart.series.length > 1 ? `${chart.title}: ${name}` : name,
      format: chart.format,
      values: chart.points.map(({ values }) => values[index] ?? null),
    })),
  );
  const labels = charts[0]?.points.map(({ label }) => label) ?? [];
  return (
    // A box that scrolls must be reachable by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: as above
    <section aria-label={caption} className="card overflow-x-auto" tabIndex={0}>
      <table className="w-full border-collapse text-start text-sm">
        <caption className="p-3 text-start font-display font-semibold text-lg">{caption}</caption>
        <thead>
          <tr className="border-line border-b text-muted text-xs">
            <th className="px-3 py-2" scope="col">
              {time}
            </th>
            {columns.map(({ name }) => (
              <th className="px-3 py-2 text-end" key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {labels
            .map((label, index) => (
              <tr className="hover:bg-raised" key={label}>
                <th className="whitespace-nowrap px-3 py-1.5 font-medium" scope="row">
                  {label}
                </th>
                {columns.map(({ name, format, values }) => (
                  <td className="whitespace-nowrap px-3 py-1.5 text-end tabular-nums" key={name}>
                    {describeValue(values[index] ?? null, format)}
                  </td>
                ))}
              </tr>
            ))
            .reverse()}
        </tbody>
      </table>
    </section>
  );
}

const describeValue = (value: number | null, format: (value: number) => string) =>
  value === null ? <span className="text-muted">No figure</span> : format(value);
