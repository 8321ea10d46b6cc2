import type { KeyFigures } from '@/api/types.ts';
import { reasonLabels } from './adminLabels.ts';

type Outcome = KeyFigures['outcomes'][number];

const columns: [string, keyof Omit<Outcome, 'reason'>][] = [
  ['Decided', 'decided'],
  ['Dismissed', 'dismissed'],
  ['Warned', 'warned'],
  ['Parts removed', 'removed'],
  ['Suspended', 'suspended'],
  ['Banned', 'banned'],
];

/** Returns the share of dismissed reports, such as "40%". */
const shareOf = ({ decided, dismissed }: Outcome) => `${Math.round((100 * dismissed) / decided)}%`;

/** How the reports of members were decided, by reason. A reason that is dismissed more often than others may show a bias. */
export function OutcomeTable({ outcomes }: { outcomes: Outcome[] }) {
  const caption = 'Decisions on reports, by reason';
  return (
    // A box that scrolls must be reachable by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: as above
    <section aria-label={caption} className="card overflow-x-auto" tabIndex={0}>
      <table className="w-full border-collapse text-start text-sm">
        <caption className="p-3 text-start font-display font-semibold text-lg">{caption}</caption>
        <thead>
          <tr className="border-line border-b text-muted text-xs">
            <th className="px-3 py-2" scope="col">
              Reason
            </th>
            {columns.map(([label]) => (
              <th className="px-3 py-2 text-end" key={label} scope="col">
                {label}
              </th>
            ))}
            <th className="px-3 py-2 text-end" scope="col">
              Share dismissed
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {outcomes.map((outcome) => (
            <tr className="hover:bg-raised" key={outcome.reason}>
              <th className="px-3 py-1.5 font-medium" scope="row">
                {reasonLabels[outcome.reason]}
              </th>
              {columns.map(([label, field]) => (
                <td className="px-3 py-1.5 text-end tabular-nums" key={label}>
                  {outcome[field]}
                </td>
              ))}
              <td className="px-3 py-1.5 text-end tabular-nums">{shareOf(outcome)}</td>
            </tr>
          ))}
          {outcomes.length === 0 && (
            <tr>
              <td className="px-3 py-3 text-muted" colSpan={columns.length + 2}>
                No report was decided.
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </section>
  );
}
