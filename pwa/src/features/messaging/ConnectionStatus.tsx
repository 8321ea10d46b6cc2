import { CloudOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useSocket, useSocketStatus } from '@/live/sessionSocket.ts';
import { useOnline } from '@/offline/device/online.ts';
import { Button } from '@/ui';

/** The banner is not shown for shorter reconnects. */
const BANNER_DELAY_MS = 1500;

/** Shows that the socket is not connected. For screen readers it also says when it is connected. */
export function ConnectionBadge() {
  const status = useSocketStatus();
  const online = useOnline();
  const connected = online && status === 'open';
  const waiting = status === 'gaveUp' || !online ? 'Not connected' : 'Connecting...';
  if (connected) {
    return (
      <span className="sr-only" role="status">
        Connected
      </span>
    );
  }
  return (
    // Where the name needs the space, the label wraps out of view; the dot stays, and the banner explains the state.
    <span
      className="flex h-4 min-w-2 shrink-[99999] flex-wrap justify-end gap-x-1.5 overflow-hidden text-muted text-xs"
      role="status"
      title={waiting}
    >
      <span aria-hidden="true" className="my-1 size-2 rounded-full bg-marigold" />
      {waiting}
    </span>
  );
}

/** The banner above the thread while the socket is not connected. Messages go to the outbox meanwhile. */
export function ConnectionBanner() {
  const socket = useSocket();
  const status = useSocketStatus();
  const online = useOnline();
  const isDelayed = useDelayed(status !== 'open');
  if (!online) {
    // Part of the layout, because the offline strip of the other screens would cover the newest message.
    return (
      <p
        className="flex min-h-10 items-center justify-center gap-2 bg-plum-soft px-3 py-1 text-center text-plum text-xs min-[400px]:text-sm md:hidden"
        role="status"
      >
        <CloudOff aria-hidden="true" className="size-4 shrink-0" />
        You're offline. You can read and write; we'll send later.
      </p>
    );
  }
  if (status === 'open' || !isDelayed) return null;
  return (
    <div
      className="flex min-h-11 items-center justify-center gap-3 bg-marigold-soft px-4 py-1 text-center text-marigold-ink text-sm"
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

function useDelayed(waiting: boolean): boolean {
  const [isDelayed, setDelayed] = useState(false);
  useEffect(() => {
    if (!waiting) {
      setDelayed(false);
      return;
    }
    const timer = setTimeout(setDelayed, BANNER_DELAY_MS, true);
    return () => clearTimeout(timer);
  }, [waiting]);
  return isDelayed;
}
