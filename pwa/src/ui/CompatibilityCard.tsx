import { Badge, type Tone } from './Chip.tsx';
import { cn } from './cn.ts';

type ScorePart = { score: number; details: string[] };
type Compatibility = {
  overall: number;
  distanceBand: string | null;
  breakdown: { intentions: ScorePart; lifestyle: ScorePart; location: ScorePart; age: ScorePart };
};

/** Returns green from 80, yellow from 60, blue below. */
function scoreTone(score: number): Tone {
  if (score >= 80) return 'sage';
  return score >= 60 ? 'marigold' : 'sky';
}

const barColours: Partial<Record<Tone, string>> = { sage: 'bg-sage', marigold: 'bg-marigold', sky: 'bg-sky' };

const SCORE_PARTS = [
  ['intentions', 'Intentions'],
  ['lifestyle', 'Lifestyle'],
  ['location', 'Location'],
  ['age', 'Age'],
] as const;

/** The compatibility of two members in percent. */
export function ScoreBadge({ score, className }: { score: number; className?: string }) {
  return (
    <Badge className={cn('text-sm tabular-nums', className)} tone={scoreTone(score)}>
      <span className="sr-only">Compatibility </span>
      {score}%
    </Badge>
  );
}

/** The compatibility with its parts and their explanations. */
export function CompatibilityCard({ compatibility }: { compatibility: Compatibility }) {
  return (
    <section className="card p-5">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <h3 className="font-display font-semibold text-lg">Compatibility</h3>
        <ScoreBadge score={compatibility.overall} />
      </div>
      {compatibility.distanceBand && (
        <p className="mt-1 text-muted text-sm">Lives {compatibility.distanceBand}</p>
      )}
      <dl className="mt-4 grid gap-4 sm:grid-cols-2">
        {SCORE_PARTS.map(([part, label]) => {
          const { score, details } = compatibility.breakdown[part];
          return (
            <div key={part}>
              <dt className="flex justify-between gap-2 font-medium text-sm">
                {label} <span className="tabular-nums">{score}%</span>
              </dt>
              <dd>
                <div aria-hidden="true" className="mt-1.5 h-1.5 overflow-hidden rounded-full bg-raised">
                  <div
                    className={`h-full rounded-full ${barColours[scoreTone(score)]}`}
                    style={{ width: `${score}%` }}
                  />
                </div>
                {details.map((sentence) => (
                  <p className="mt-1.5 text-muted text-sm" key={sentence}>
                    {sentence}
                  </p>
                ))}
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}
