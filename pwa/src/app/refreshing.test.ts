import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { refreshAfterGaps, watchNewBadges } from './refreshing.ts';

class Connection {
  status: 'open' | 'connecting' = 'connecting';
  private onIdentified: () => void = () => undefined;
  private onChanged: () => void = () => undefined;
  on = (_: string, listener: never) => {
    this.onIdentified = listener;
    return () => undefined;
  };
  onStatus = (listener: () => void) => {
    this.onChanged = listener;
    return () => undefined;
  };
  up() {
    this.status = 'open';
    this.onChanged();
    this.onIdentified();
  }
  down() {
    this.status = 'connecting';
    this.onChanged();
  }
}

let client: QueryClient;
let socket: Connection;
let stop: () => void;
const requests: string[] = [];

async function watch(key: string[], respond: () => Promise<unknown>) {
  const observer = new QueryObserver(client, {
    queryKey: key,
    queryFn: () => {
      requests.push(key.join(' '));
      return respond();
    },
    retry: false,
    networkMode: 'always',
    staleTime: Number.POSITIVE_INFINITY,
  });
  observer.subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(0);
}

const show = async (state: 'visible' | 'hidden') => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  document.dispatchEvent(new Event('visibilitychange'));
  await vi.advanceTimersByTimeAsync(0);
};

beforeEach(async () => {
  vi.useFakeTimers();
  client = new QueryClient();
  socket = new Connection();
  stop = refreshAfterGaps(client, socket as never);
  socket.up();
  await watch(['refresh', 'feed'], async () => 1);
  await watch(['sessions'], async () => 1);
  await watch(['preview'], async () => Promise.reject(new Error('no network')));
  requests.length = 0;
});

afterEach(() => {
  stop();
  client.clear();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('retries failed requests after any reconnect, and refetches active data after a gap', async () => {
  socket.down();
  await vi.advanceTimersByTimeAsync(2000);
  socket.up();
  await vi.advanceTimersByTimeAsync(0);
  expect(requests).toEqual(['preview']);

  requests.length = 0;
  socket.down();
  await vi.advanceTimersByTimeAsync(6000);
  socket.down();
  await vi.advanceTimersByTimeAsync(6000);
  socket.up();
  await vi.advanceTimersByTimeAsync(0);
  expect(requests).toEqual(['refresh feed', 'preview']);
});

it('refetches active data when the page was hidden for a while', async () => {
  await show('hidden');
  await vi.advanceTimersByTimeAsync(3000);
  await show('visible');
  expect(requests).toEqual(['preview']);
  requests.length = 0;
  await show('hidden');
  await vi.advanceTimersByTimeAsync(86_400_000);
  await show('visible');
  expect(requests).toEqual(['refresh feed', 'preview']);
});

it('asks for new badges after each change and when the socket is back, but not at the start', () => {
  const listeners = new Map<string, () => void>();
  const on = (type: string, listener: () => void) => {
    listeners.set(type, listener);
    return () => listeners.delete(type);
  };
  const refresh = vi.fn();
  const stopWatching = watchNewBadges({ on } as never, refresh);
  listeners.get('identified')?.();
  expect(refresh).toHaveBeenCalledTimes(0);
  listeners.get('badges_changed')?.();
  expect(refresh).toHaveBeenCalledTimes(1);
  listeners.get('identified')?.();
  expect(refresh).toHaveBeenCalledTimes(2);
  stopWatching();
  expect(listeners.size).toBe(0);
});
