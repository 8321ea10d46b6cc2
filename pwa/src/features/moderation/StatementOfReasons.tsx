import type { Reasons } from '@/api/types.ts';

const labels: [key: keyof Reasons, label: string][] = [
  ['scope', 'What it means'],
  ['duration', 'How long'],
  ['ground', 'The rule'],
  ['facts', 'How we know'],
  ['automation', 'Programs'],
  ['redress', 'What you can do'],
];

/** The statement of reasons of a decision, beside the moderator's words. */
export function StatementOfReasons({ reasons }: { reasons: Reasons }) {
  return (
    <dl className="mt-3 grid gap-x-4 gap-y-2 text-sm sm:grid-cols-[8rem_minmax(0,1fr)]">
      {labels.map(([key, label]) => (
        <div className="sm:contents" key={key}>
          <dt className="text-muted">{label}</dt>
          <dd>{reasons[key]}</dd>
        </div>
      ))}
    </dl>
  );
}
