import { Clock, EyeOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { describeLoadError } from '@/api/client.ts';
import { useFailure } from '@/offline/store/cached.ts';
import { Button, RetryButton, Skeleton, useAction } from '@/ui';
import { resubmitProfile, useReview } from './review.ts';

/** Says what others do not see yet of the member, why, and what the member can do. */
export default function ReviewCard() {
  const query = useReview();
  const failure = useFailure(query);
  const review = query.data;
  if (!review && failure) return <Unknown error={failure} onRetry={query.refetch} />;
  if (!review) return <Skeleton className="h-28 rounded-card" />;
  if (review.status === 'none') return null;
  const isProfile = review.subject === 'profile';
  if (review.status === 'pending')
    return (
      <Card
        icon={Clock}
        title={isProfile ? 'We’re looking at your profile' : 'We’re looking at your first photo'}
      >
        {isProfile
          ? 'Others see it, and you can like and write, once a moderator has accepted it. We’ll email you then. Until then you can keep working on it.'
          : 'Others see the rest of your profile now, and the photo once a moderator has accepted it. We’ll email you then.'}
      </Card>
    );
  return (
    <Card
      action={isProfile && <Resubmit />}
      icon={EyeOff}
      title={isProfile ? 'Your profile isn’t shown yet' : 'Your first photo isn’t shown'}
    >
      <bdi className="font-medium text-ink">{review.reason}</bdi>{' '}
      {isProfile
        ? 'Please change it, then ask us to look again.'
        : 'Please choose another one. Others see the rest of your profile.'}
    </Card>
  );
}

function Unknown({ error, onRetry }: { error: Error; onRetry: () => Promise<unknown> }) {
  return (
    <Card
      action={<RetryButton onRetry={onRetry} variant="secondary" />}
      icon={Clock}
      title="We couldn’t load your review"
    >
      {describeLoadError(error)}
    </Card>
  );
}

function Resubmit() {
  const [submit, { isBusy }] = useAction(resubmitProfile, { staysBusy: true });
  return (
    <Button busy={isBusy} onClick={submit} size="sm">
      Ask again
    </Button>
  );
}

type CardProps = { icon: typeof Clock; title: string; action?: ReactNode; children: ReactNode };

function Card({ icon: Icon, title, action, children }: CardProps) {
  return (
    <section aria-label={title} className="card flex items-start gap-4 p-5">
      <span className="grid size-11 shrink-0 place-items-center rounded-full bg-plum-soft text-plum">
        <Icon aria-hidden="true" className="size-6" />
      </span>
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-3">
        <div className="min-w-[min(100%,10rem)] flex-1">
          <h2 className="font-display font-semibold text-lg">{title}</h2>
          <p className="text-muted text-sm">{children}</p>
        </div>
        {action}
      </div>
    </section>
  );
}
