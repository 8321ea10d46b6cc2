import { Laptop, Smartphone } from 'lucide-react';
import { describeLoadError } from '@/api/client.ts';
import type { Session } from '@/api/types.ts';
import { useFailure } from '@/offline/store/cached.ts';
import { queryClient } from '@/session/query.ts';
import { Badge, Button, ErrorState, RelativeTime, Skeleton, toast, useAction } from '@/ui';
import { revokeOtherSessions, revokeSession, sessionsKey, useSessions } from './accountRequests.ts';
import { deviceName, isHandheld } from './device.ts';
import { useProof } from './useProof.tsx';

/** The devices on which the member is signed in, which can be signed out. */
export function Devices() {
  const sessions = useSessions();
  const failure = useFailure(sessions);
  const { withProof, dialog } = useProof();

  /** Runs an action that ends sessions, after a proof if the server requires one. */
  async function end(action: () => Promise<void>, description: string) {
    try {
      if (await withProof(action)) toast({ title: 'Signed out', description });
    } finally {
      await queryClient.invalidateQueries({ queryKey: sessionsKey });
    }
  }

  const others = sessions.data?.filter(({ current }) => !current).length ?? 0;
  return (
    <section className="card p-5">
      <h2 className="font-display font-semibold text-lg">Your devices</h2>
      {sessions.isPending && !failure && <Skeleton className="mt-4 h-13" />}
      {failure && (
        <ErrorState
          onRetry={sessions.refetch}
          text={describeLoadError(failure)}
          title="Your devices could not be loaded"
        />
      )}
      <ul className="mt-2 divide-y divide-line">
        {sessions.data?.map((session) => (
          <Device
            key={session.id}
            onEnd={() => end(() => revokeSession(session.id), deviceName(session.userAgent))}
            session={session}
          />
        ))}
      </ul>
      {others > 1 && (
        <EndButton className="mt-2" onEnd={() => end(revokeOtherSessions, `${others} devices`)}>
          Sign out everywhere else
        </EndButton>
      )}
      {dialog}
    </section>
  );
}

type EndButtonProps = { label?: string; className: string; onEnd: () => Promise<void>; children: string };

function EndButton({ label, className, onEnd, children }: EndButtonProps) {
  const [end, { isBusy }] = useAction(() => onEnd());
  return (
    <Button
      aria-label={label}
      busy={isBusy}
      className={className}
      onClick={end}
      size="sm"
      variant="secondary"
    >
      {children}
    </Button>
  );
}

function Device({ session, onEnd }: { session: Session; onEnd: () => Promise<void> }) {
  const Icon = isHandheld(session.userAgent) ? Smartphone : Laptop;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
      <Icon aria-hidden="true" className="size-6 shrink-0 text-muted" />
      <div className="min-w-[min(100%,5.5rem)] flex-1">
        <p className="truncate font-medium">{deviceName(session.userAgent)}</p>
        <p className="text-muted text-sm">
          {session.place && (
            <>
              Near <bdi>{session.place}</bdi>.{' '}
            </>
          )}
          Active <RelativeTime inSentence value={session.lastSeenAt} />
        </p>
      </div>
      {session.current ? (
        <Badge tone="sage">This device</Badge>
      ) : (
        <EndButton
          className="shrink-0 whitespace-nowrap"
          label={`Sign out this device: ${deviceName(session.userAgent)}`}
          onEnd={onEnd}
        >
          Sign out
        </EndButton>
      )}
    </li>
  );
}
