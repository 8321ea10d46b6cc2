import { ChevronRight, Heart, MessageCircle, UserPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Me } from '@/api/types.ts';
import { formatCount } from '@/base/format.ts';
import { paths } from '@/session/paths.ts';
import { Badge, ButtonLink, cn, useMediaQuery } from '@/ui';
import { Gallery, Greetings, photosOf } from './MemberMedia.tsx';
import { Facts, interleave, Traits, textsOf } from './MemberParts.tsx';
import { suggestionsFor } from './suggestions.ts';

type OverviewProps = {
  me: Me;
  badges: ReactNode;
  /** The picture of the profile's head, where others see it; on a desk it is above the columns. */
  banner?: ReactNode;
  links: ReactNode;
  review: ReactNode;
  verification: ReactNode;
  onEdit: (part: string) => void;
};

/**
 * An overview of the member's own profile: what others see below the first photo, in the same order, then suggestions to
 * complete it and what only the member sees. The suggestions are first while the profile is nearly empty.
 */
export function Overview({ me, badges, banner, links, review, verification, onEdit }: OverviewProps) {
  const presents = presentsThemselves(me);
  const missing = <MissingParts me={me} onEdit={onEdit} />;
  return (
    <div className="flex flex-col gap-4">
      {review}
      {!presents && missing}
      <Content banner={banner} me={me} />
      {presents && missing}
      <Counters me={me} />
      {verification}
      <section className="card p-5">
        <h2 className="sr-only">Your details</h2>
        <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] gap-x-6 gap-y-3">
          <Detail className="col-span-full" label="Email" value={me.email} />
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
    </div>
  );
}

/** What others see below the first photo. The badges are among the member's details. */
function Content({ me, banner }: Pick<OverviewProps, 'me' | 'banner'>) {
  const wide = useMediaQuery('(min-width: 768px)');
  // The member's badges and the addresses of list pictures are not drawn here.
  const member = { ...me, badgeTier: 0, profilePhotos: [] };
  const texts = textsOf(member, undefined, 'About Me');
  const photos = photosOf(member);
  return (
    <>
      <Facts member={member} withBadges={false} />
      <Greetings member={member} />
      {banner}
      {wide ? texts : interleave(texts, photos)}
      {wide && photos.length > 0 && <div className="grid grid-cols-2 gap-3">{photos}</div>}
      <Gallery member={member} />
      <Traits member={member} />
    </>
  );
}

function Detail({ label, value, className }: { label: string; value: string; className?: string }) {
  if (!value) return null;
  return (
    <div className={cn('min-w-0', className)}>
      <dt className="text-muted text-sm">{label}</dt>
      <dd className="wrap-anywhere font-medium" dir="auto">
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
              className="flex min-h-12 w-full items-center justify-between gap-3 px-5 py-2 text-start -outline-offset-2 transition-colors hover:bg-raised"
              onClick={() => onEdit(section)}
              type="button"
            >
              {label}
              <ChevronRight aria-hidden="true" className="size-5 shrink-0 text-muted" />
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
          <Icon aria-hidden="true" className="size-5 text-ember" />
          <dd className="mt-1 font-display font-semibold text-2xl tabular-nums">{formatCount(value)}</dd>
          <dt className="text-muted text-sm">{label}</dt>
        </div>
      ))}
    </dl>
  );
}
