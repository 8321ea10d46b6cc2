import { Heart, MessageCircle, UserPlus } from 'lucide-react';
import type { Me } from '@/api/types.ts';
import { Badge, Button, Chip, cn, Photo } from '@/ui';
import { missingSentence } from './choices.ts';

/** What the member shows to others, and how far they have come. */
export function Overview({ me, onEdit }: { me: Me; onEdit: () => void }) {
  return (
    <div className="flex flex-col gap-4">
      <Completeness me={me} onEdit={onEdit} />
      <Counters me={me} />
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
        </div>
      </section>
      {me.photos.length > 0 && (
        <section aria-label="Your photos" className="grid grid-cols-3 gap-2 sm:grid-cols-6">
          {me.photos.map((photo, index) => (
            <Photo
              alt={`Picture ${index + 1} of you`}
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
          <p className="mt-2 whitespace-pre-line">{me.bio}</p>
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

function Completeness({ me, onEdit }: { me: Me; onEdit: () => void }) {
  const { percent, missing } = me.completeness;
  if (missing.length === 0) return null;
  return (
    <section className="card p-5">
      <div className="flex items-baseline justify-between gap-3">
        <h2 className="font-display font-semibold text-lg">Your profile is {percent}% complete</h2>
      </div>
      <div aria-hidden="true" className="mt-3 h-2 overflow-hidden rounded-full bg-raised">
        <div className="h-full rounded-full bg-ember" style={{ width: `${percent}%` }} />
      </div>
      <p className="mt-3 text-muted">{missingSentence(missing)}</p>
      <Button className="mt-1 -mb-2 -ml-3" onClick={onEdit} size="sm" variant="ghost">
        Complete your profile
      </Button>
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
    <dl className="grid grid-cols-3 gap-3">
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
