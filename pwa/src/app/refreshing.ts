import type { QueryClient } from '@tanstack/react-query';
import type { FrameSource } from '@/live/frameSource.ts';

/** After a longer gap data is fetched again; a shorter one is covered by live events. */
const GAP_MS = 10_000;

type Connection = Pick<FrameSource, 'on' | 'onStatus'> & { readonly status: FrameSource['status'] };

/**
 * Refetches active data when the connection is back, or the page visible, after a gap. Failed requests are retried after
 * any reconnect, so that an error screen recovers by itself. Returns a function that stops it.
 */
export function refreshAfterGaps(client: QueryClient, socket: Connection): () => void {
  let disconnectedAt = Date.now();
  let hiddenAt = document.visibilityState === 'hidden' ? Date.now() : null;

  const refresh = (since: number) => {
    const gap = Date.now() - since >= GAP_MS;
    void client.refetchQueries({
      type: 'active',
      predicate: ({ queryKey, state }) => state.status === 'error' || (gap && queryKey[0] === 'refresh'),
    });
  };
  const onVisibility = () => {
    if (document.visibilityState === 'hidden') {
      hiddenAt = Date.now();
      return;
    }
    if (hiddenAt !== null) refresh(hiddenAt);
    hiddenAt = null;
  };
  document.addEventListener('visibilitychange', onVisibility);
  const stops = [
    socket.onStatus(() => {
      if (socket.status === 'open') return;
      // 'connecting' follows 'closed' within the same gap.
      disconnectedAt = Math.min(disconnectedAt, Date.now());
    }),
    socket.on('identified', () => {
      refresh(disconnectedAt);
      disconnectedAt = Number.POSITIVE_INFINITY;
    }),
    () => document.removeEventListener('visibilitychange', onVisibility),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/**
 * Calls `refresh` when the member's badges have changed, and when the socket is back, because it may have missed that.
 * Not at the first connection: the member was fetched just before. Returns a function that stops it.
 */
export function watchNewBadges(socket: Pick<FrameSource, 'on'>, refresh: () => void): () => void {
  let isBack = false;
  const stops = [
    socket.on('badges_changed', refresh),
    socket.on('identified', () => {
      if (isBack) refresh();
      isBack = true;
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
