import { Link2, Sparkles, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { describeLoadError } from '@/api/client.ts';
import type { Referral, ReferralStats } from '@/api/types.ts';
import { formatCount, formatDate } from '@/base/format.ts';
import { useMember } from '@/session/session.ts';
import { Badge, ErrorState, Skeleton } from '@/ui';
import { InviteForm } from './InviteForm.tsx';
import { LinkField } from './LinkField.tsx';
import { linkOf } from './link.ts';
import { useReferrals } from './referrals.ts';
import { ShareDialog } from './ShareDialog.tsx';
import { progressOf } from './tierProgress.ts';
import { toneOf } from './tones.ts';

/** The member's referral link, its results and the rewards. */
export function ReferralPanel() {
  const me = useMember();
  const { data, state, error, refresh } = useReferrals(me.id);
  const [sharing, setSharing] = useState(false);
  if (state === 'error') {
    return (
      <ErrorState
        onRetry={refresh}
        text={describeLoadError(error)}
        title="Your referrals could not be loaded"
      />
    );
  }
  const link = data ? linkOf(data.code, location.origin) : undefined;
  return (
    <div className="flex flex-col gap-4">
      <section className="card p-5">
        <h2 className="font-display font-semibold text-xl">Invite Friends &amp; Earn Rewards</h2>
        {data ? <TierProgress stats={data.stats} /> : <TierProgressSkeleton />}
      </section>
      <section aria-labelledby="referral-link" className="card p-5">
        <h2 className="mb-3 font-display font-semibold text-lg" id="referral-link">
          Your referral link
        </h2>
        <LinkField code={data?.code} onShareTo={() => setSharing(true)} />
      </section>
      <section aria-labelledby="referral-mail" className="card p-5">
        <h2 className="mb-3 font-display font-semibold text-lg" id="referral-mail">
          Invite by email
        </h2>
        <InviteForm onInvited={refresh} />
      </section>
      <HowItWorks />
      {data && data.recent.length > 0 && <Recent referrals={data.recent} />}
      {sharing && link && <ShareDialog link={link} onClose={() => setSharing(false)} />}
    </div>
  );
}

function TierProgress({ stats }: { stats: ReferralStats }) {
  const { tier, next, completed, percent } = progressOf(stats);
  return (
    <>
      <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={toneOf(tier.level)}>{tier.name}</Badge>
        <p className="text-muted">{tier.reward}</p>
      </div>
      {next && (
        <div className="mt-5">
          <p className="flex items-baseline justify-between gap-3">
            <span>
              Progress to <strong className="font-semibold">{next.name}</strong>
            </span>
            <span className="shrink-0 font-semibold tabular-nums">
              {completed}/{next.minReferrals}
            </span>
          </p>
          <div
            aria-label={`Progress to ${next.name}`}
            aria-valuemax={next.minReferrals}
            aria-valuemin={0}
            aria-valuenow={Math.min(completed, next.minReferrals)}
            className="mt-2 h-2 overflow-hidden rounded-full bg-raised"
            role="progressbar"
          >
            <div className="h-full rounded-full bg-ember" style={{ width: `${percent}%` }} />
          </div>
          <p className="mt-2 text-muted text-sm">Next reward: {next.reward}</p>
        </div>
      )}
      <dl className="mt-5 grid grid-cols-[repeat(auto-fit,minmax(5.5rem,1fr))] gap-3 text-center">
        <Count label="Total Invites" value={stats.totalReferrals} />
        <Count label="Successful" value={stats.completedReferrals} />
        <Count label="Pending" value={stats.pendingReferrals} />
      </dl>
      {stats.premiumUntil && (
        <p className="mt-4 text-muted text-sm">
          {stats.isPremiumForLife
            ? 'You have Premium for life.'
            : `You have Premium until ${formatDate(stats.premiumUntil)}.`}
        </p>
      )}
    </>
  );
}

function Count({ label, value }: { label: string; value: number }) {
  return (
    <div className="rounded-control bg-raised px-2 py-3">
      <dt className="text-muted text-sm">{label}</dt>
      <dd className="font-display font-semibold text-2xl tabular-nums">{formatCount(value)}</dd>
    </div>
  );
}

function TierProgressSkeleton() {
  return (
    <div aria-label="Loading your referrals" className="mt-3" role="status">
      <Skeleton className="h-6 w-40" />
      <Skeleton className="mt-5 h-17" />
      <Skeleton className="mt-5 h-19.5" />
    </div>
  );
}

const steps = [
  { icon: Link2, text: 'Share your link, or send an invitation, to friends who date with intention.' },
  {
    icon: UserPlus,
    text: 'When a friend has joined and completed their profile, you both get a week of Premium.',
  },
  { icon: Sparkles, text: 'The more friends complete their profiles, the higher your tier and its reward.' },
];

function HowItWorks() {
  return (
    <section className="card p-5">
      <h2 className="font-display font-semibold text-lg">How It Works</h2>
      <ol className="mt-3 flex flex-col gap-3">
        {steps.map(({ icon: Icon, text }) => (
          <li className="flex items-start gap-3" key={text}>
            <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-ember" />
            {text}
          </li>
        ))}
      </ol>
    </section>
  );
}

const statusLabels: Record<Referral['status'], string> = {
  pending: 'Pending',
  completed: 'Completed',
  expired: 'Expired',
  refused: 'Not counted',
};

function Recent({ referrals }: { referrals: Referral[] }) {
  return (
    <section className="card p-5">
      <h2 className="font-display font-semibold text-lg">Recent Referrals</h2>
      {referrals.some(({ status }) => status === 'refused') && (
        <p className="mt-1 text-muted text-sm">
          A friend counts once, and not if they use your device or your address.
        </p>
      )}
      <ul className="mt-2 divide-y divide-line">
        {referrals.map(({ id, referredUserId, email, createdAt, status }) => (
          <li className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 py-3" key={id}>
            <div className="min-w-[min(100%,11rem)] flex-1">
              <p className="font-medium">{referredUserId ? 'Friend joined!' : 'Invitation sent'}</p>
              {email && (
                <p className="truncate text-sm" title={email}>
                  {email}
                </p>
              )}
              <p className="text-muted text-sm">{formatDate(createdAt)}</p>
            </div>
            <Badge className="shrink-0" tone={status === 'completed' ? 'ember' : 'neutral'}>
              {statusLabels[status]}
            </Badge>
          </li>
        ))}
      </ul>
    </section>
  );
}
