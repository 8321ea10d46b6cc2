import { formatDate } from '@/base/format.ts';
import { BadgeArt } from './BadgeArt.tsx';
import type { ListedBadge } from './badges.ts';

type CategoryCardProps = { title: string; text: string; badges: ListedBadge[] };

/** The badges of a category, each with when it was earned or how far the member is. */
export function CategoryCard({ title, text, badges }: CategoryCardProps) {
  const earned = badges.filter((badge) => badge.earned).length;
  return (
    <section aria-label={title} className="card p-[20px]">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="font-display font-semibold text-lg">{title}</h2>
        <p className="text-muted text-sm tabular-nums">
          {earned} of {badges.length}
        </p>
      </div>
      <p className="text-muted text-sm">{text}</p>
      <ul className="mt-3 divide-y divide-line">
        {badges.map((badge) => (
          <BadgeRow badge={badge} key={badge.id} />
        ))}
      </ul>
    </section>
  );
}

function BadgeRow({ badge }: { badge: ListedBadge }) {
  const { name, description, requirements, earned } = badge;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <span className="relative">
        <BadgeArt badge={badge} locked={!earned} />
        {earned && !earned.notified && (
          <span className="absolute top-0 inset-e-0 size-3 rounded-full bg-danger ring-2 ring-surface">
            <span className="sr-only">New</span>
          </span>
        )}
      </span>
      <div className="min-w-0 flex-[1_1_9rem]">
        <h3 className="font-semibold">{name}</h3>
        <p className="text-muted text-sm">{earned ? description : requirements}</p>
        {earned ? (
          <p className="text-muted text-sm">Earned {formatDate(earned.awardedAt)}</p>
        ) : (
          <Progress badge={badge} />
        )}
      </div>
    </li>
  );
}

function Progress({ badge: { name, count, needed, percent, iconKey } }: { badge: ListedBadge }) {
  const unit = iconKey === 'profile_complete' ? '%' : '';
  return (
    <div className="mt-1.5 flex items-center gap-3">
      <div
        aria-label={`Progress to ${name}`}
        aria-valuemax={needed}
        aria-valuemin={0}
        aria-valuenow={count}
        className="h-1.5 min-w-0 flex-1 overflow-hidden rounded-full bg-raised"
        role="progressbar"
      >
        <div className="h-full rounded-full bg-ember" style={{ width: `${percent}%` }} />
      </div>
      <span className="shrink-0 text-muted text-sm tabular-nums">
        {count}
        {unit}/{needed}
        {unit}
      </span>
    </div>
  );
}
