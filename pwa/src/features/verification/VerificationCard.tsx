import { BadgeCheck, Clock } from 'lucide-react';
import { type ReactNode, Suspense, useState } from 'react';
import type { Me } from '@/api/types.ts';
import { Button, lazyWithRetry, Skeleton } from '@/ui';
import { useVerification } from './verification.ts';

const VerificationSheet = lazyWithRetry(() => import('./VerificationSheet.tsx'));

const startLabels: Record<string, string> = {
  rejected: 'Try again',
  requested: 'Continue',
  ended: 'Verify again',
};

/** Explains verification, shows its state, and starts it. */
export function VerificationCard({ me }: { me: Me }) {
  const verification = useVerification();
  const [open, setOpen] = useState(false);
  const status = verification.data?.status;
  if (me.isVerified || status === 'approved') {
    return (
      <Card icon={BadgeCheck} title="You are verified">
        Others see the badge on your profile.
      </Card>
    );
  }
  if (!verification.data) return <CardPlaceholder failed={verification.isError} />;
  const { reason } = verification.data;
  return (
    <>
      {status === 'pending' ? (
        <Card icon={Clock} title="Your selfie is being compared">
          Your profile shows the badge once it is approved.
        </Card>
      ) : (
        <Card
          action={
            <Button onClick={() => setOpen(true)} size="sm" variant="secondary">
              {startLabels[status ?? 'none'] ?? 'Start'}
            </Button>
          }
          icon={BadgeCheck}
          title={status === 'ended' ? 'Your verification has ended' : 'Get verified'}
        >
          {status === 'ended' && ENDED}
          {status === 'rejected' && reason ? (
            <>
              The last selfie could not be accepted: <span className="font-medium text-ink">{reason}</span>
            </>
          ) : (
            status !== 'ended' && EXPLANATION
          )}
        </Card>
      )}
      {open && (
        <Suspense fallback={null}>
          <VerificationSheet onClose={() => setOpen(false)} verification={verification.data} />
        </Suspense>
      )}
    </>
  );
}

const ENDED =
  'Your name, birthday or first photo has changed since you were verified. A new selfie brings the badge back.';
const EXPLANATION =
  'Take a selfie in the pose we show you. Once it is approved, your profile shows a badge and the selfie is deleted.';

/** Reserves the space of the card of an unverified member until the state is loaded, so that nothing shifts. */
function CardPlaceholder({ failed }: { failed: boolean }) {
  const card = (
    <Card
      action={
        <Button disabled size="sm" variant="secondary">
          Start
        </Button>
      }
      icon={BadgeCheck}
      title="Get verified"
    >
      {EXPLANATION}
    </Card>
  );
  if (failed) return card;
  return <Skeleton className="rounded-card">{card}</Skeleton>;
}

type CardProps = { icon: typeof BadgeCheck; title: string; action?: ReactNode; children: ReactNode };

function Card({ icon: Icon, title, action, children }: CardProps) {
  return (
    <section className="card flex items-start gap-4 p-5">
      <span className="grid size-11 shrink-0 place-items-center rounded-full bg-sky-soft text-sky">
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
