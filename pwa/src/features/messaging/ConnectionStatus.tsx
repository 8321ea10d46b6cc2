import { useEffect, useState } from 'react';
import { socket, useSocketStatus } from '@/live/start.ts';
import { useOnline } from '@/offline/online.ts';
import { Button, OfflineStrip } from '@/ui';

/** A reconnect shorter than this is nobody's business. */
const PATIENCE_MS = 1500;

/** Whether messages go out now; always there, so that nobody wonders. */
export function ConnectionBadge() {
  const status = useSocketStatus();
  const online = useOnline();
  const connected = online && status === 'open';
  const waiting = status === 'gaveUp' || !online ? 'Not connected' : 'Connecting...';
  const label = connected ? 'Connected' : waiting;
  return (
    <span className="inline-flex items-center gap-1.5 text-muted text-xs" role="status">
      <span aria-hidden="true" className={`size-2 rounded-full ${connected ? 'bg-sage' : 'bg-marigold'}`} />
      {label}
    </span>
  );
}

/** The line above the thread while the socket is away. Writing goes on: the outbox keeps it. */
export function ConnectionBanner() {
  const status = useSocketStatus();
  const online = useOnline();
  const late = useLate(status !== 'open');
  if (!online) {
    return (
      <div className="md:hidden">
        <OfflineStrip offline />
      </div>
    );
  }
  if (status === 'open' || !late) return null;
  return (
    <div
      className="flex min-h-11 items-center justify-center gap-3 bg-marigold-soft px-4 text-center text-marigold-ink text-sm"
      role="status"
    >
      {status === 'connecting' ? (
        'Connecting... Messages will send once connected'
      ) : (
        <>
          Not connected. Messages will send once connected
          <Button className="shrink-0" onClick={() => socket.connect()} size="sm" variant="ghost">
            Reconnect
          </Button>
        </>
      )}
    </div>
  );
}

function useLate(waiting: boolean): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!waiting) {
      setLate(false);
      return;
    }
    const timer = setTimeout(setLate, PATIENCE_MS, true);
    return () => clearTimeout(timer);
  }, [waiting]);
  return late;
}
