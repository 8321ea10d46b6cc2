import { ChevronRight, Heart, MessageCircle, UserPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Me } from '@/api/types.ts';
import { paths } from '@/session/paths.ts';
import { Badge, ButtonLink, Chip, cn, Photo } from '@/ui';
import { suggestionsFor } from './suggestions.ts';
import { VerificationCard } from './VerificationCard.tsx';

type OverviewProps = {
  me: Me;
  badges: ReactNode;
  links: ReactNode;
  review: ReactNode;
  onEdit: (part: string) => void;
};

/** An overview of the member's own profile, with suggestions to complete it. */
export function Overview({ me, badges, links, review, onEdit }: OverviewProps) {
  return (
    <div className="flex flex-col gap-4">
      {review}
      <Counters me={me} />
      <MissingParts me={me} onEdit={onEdit} />
      <VerificationCard me={me} />
      <section className="card p-5">
        <h2 className="sr-only">Your details</h2>
        <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-3">
          <Detail className="col-span-2 sm:col-span-1" label="Email" value={me.email} />
          <Detail label="Age" value={me.age ? String(me.age) : ''} />
          <Detail label="City" value={[me.city, me.state].filter(Boolean).join(', ')} />
        </dl>
        <div className="mt-4 flex flex-wrap gap-2">
          <Badge tone="sage">Active User</Badge>
          {me.isPremium && <Badge tone="marigold">Premium</Badge>}
          {me.isVerified && <Badge tone="sky">Verified</Badge>}
          {badges}
        </div>
      </section>
      {links}
      {me.photos.length > 0 && (
        <section aria-label="Your photos" className="grid grid-cols-3 gap-2 sm:grid-cols-6">
          {me.photos.map((photo, index) => (
            <Photo
              alt={photo.caption || `Picture ${index + 1} of you`}
              className="rounded-control"
              key={photo.id}
              photo={{ url: photo.thumbUrl, placeholder: photo.placeholder }}
            />
          ))}
        </section>
      )}
      {me.bio && (
        <section className="card p-5">
          <h2 className="font-display font-semibold text-lg">About Me</h2>
          <p className="mt-2 whitespace-pre-line" dir="auto">
            {me.bio}
          </p>
          {me.intentionTags.length > 0 && (
            <div className="mt-4 flex flex-wrap gap-2">
              {me.intentionTags.map((tag) => (
                <Chip key={tag} tone="plum">
                  {tag}
                </Chip>
              ))}
            </div>
          )}
        </section>
      )}
    </div>
  );
}

function Detail({ label, value, className }: { label: string; value: string; className?: string }) {
  if (!value) return null;
  return (
    <div className={cn('min-w-0', className)}>
      <dt className="text-muted text-sm">{label}</dt>
      <dd className="truncate font-medium" title={value}>
        {value}
      </dd>
    </div>
  );
}

/** Whether discovery shows the member among the first: with a photo, and a bio or an answer. */
const presentsThemselves = ({ completeness: { missing } }: Me): boolean =>
  !missing.includes('photos') && !(missing.includes('bio') && missing.includes('prompts'));

/** The missing parts of the profile, each with a link to its section. */
function MissingParts({ me, onEdit }: { me: Me; onEdit: (part: string) => void }) {
  const suggestions = suggestionsFor(me.completeness.missing);
  if (suggestions.length === 0) return null;
  return (
    <section className="card overflow-hidden">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 px-5 pt-5 pb-3">
        <div className="min-w-0">
          <h2 className="font-display font-semibold text-lg">Complete your profile</h2>
          <p className="text-muted text-sm">
            {presentsThemselves(me)
              ? 'Whenever you like. Nothing here is required.'
              : 'People with a photo and a few words are shown first. Until then, few will see you.'}
          </p>
        </div>
        {!me.welcomed && (
          <ButtonLink size="sm" to={paths.start} variant="secondary">
            Continue step by step
          </ButtonLink>
        )}
      </div>
      <ul className="divide-y divide-line border-line border-t">
        {suggestions.map(({ field, label, section }) => (
          <li key={field}>
            <button
              className="flex min-h-12 w-full items-center justify-between gap-3 px-5 py-2 text-left -outline-offset-2 transition-colors hover:bg-raised"
              onClick={() => onEdit(section)}
              type="button"
            >
              {label}
              <ChevronRight aria-hidden="true" className="size-5 shrink-0 text-muted" strokeWidth={1.75} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Counters({ me }: { me: Me }) {
  const counters = [
    { label: 'Matches', value: me.counts.matches, icon: Heart },
    { label: 'Messages', value: me.counts.messages, icon: MessageCircle },
    { label: 'Referrals', value: me.counts.referrals, icon: UserPlus },
  ];
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(5.5rem,1fr))] gap-3">
      {counters.map(({ label, value, icon: Icon }) => (
        <div className="card flex flex-col items-center px-2 py-4 text-center" key={label}>
          <Icon aria-hidden="true" className="size-5 text-ember" strokeWidth={1.75} />
          <dd className="mt-1 font-display font-semibold text-2xl tabular-nums">
            {value.toLocaleString('en-US')}
          </dd>
          <dt className="text-muted text-sm">{label}</dt>
        </div>
      ))}
    </dl>
  );
}
