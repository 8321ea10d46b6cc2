import { act } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { startSession } from '@/base/pageSession.ts';
import { socketOf } from '@/live/sessionSocket.ts';
import { createMemberRoot, ME } from '@/offline/testkit.ts';
import { ConnectionBadge, ConnectionBanner } from './ConnectionStatus.tsx';

/** The sockets that were opened. */
let sockets: { onopen?: () => void; onclose?: (event: { code: number }) => void }[];
let online: boolean;
let disconnect: () => void;
let page: HTMLElement;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  sockets = [];
  online = true;
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => online);
  vi.stubGlobal(
    'WebSocket',
    class {
      onopen?: () => void;
      onclose?: (event: { code: number }) => void;
      constructor() {
        sockets.push(this);
      }
      send = () => undefined;
      close = () => undefined;
    },
  );
  page = document.createElement('div');
  const root = createMemberRoot(page);
  await act(async () => {
    disconnect = socketOf(startSession(ME)).lead('member');
    root.render(
      <>
        <ConnectionBanner />
        <ConnectionBadge />
      </>,
    );
  });
  return async () => {
    await act(async () => root.unmount());
    disconnect();
    vi.unstubAllGlobals();
    vi.useRealTimers();
  };
});

const advance = (ms: number) => act(async () => vi.advanceTimersByTime(ms));
const openSocket = () => act(async () => sockets.at(-1)?.onopen?.());
const loseConnection = () => act(async () => sockets.at(-1)?.onclose?.({ code: 1006 }));
const button = () => page.querySelector('button');
const CONNECTING = 'Connecting... Messages will send once connected';

/** Fails the first connection and five reconnects. */
async function failAllConnections() {
  await loseConnection();
  for (let failure = 1; failure <= 5; failure++) {
    expect([button(), page.textContent]).toEqual([null, expect.stringContaining('Connecting...')]);
    for (const before = sockets.length; sockets.length === before; ) await advance(500);
    await loseConnection();
  }
}

it('shows no banner while connected or during a short reconnect', async () => {
  await openSocket();
  expect(page.textContent).toBe('Connected');
  await advance(5000);
  await loseConnection();
  await advance(1000);
  expect(page.textContent).toBe('Connecting...');
  await openSocket();
  await advance(5000);
  expect(page.textContent).toBe('Connected');
});

it('shows a banner when connecting takes longer', async () => {
  await advance(1500);
  expect(page.textContent).toBe(`${CONNECTING}Connecting...`);
  expect(button()).toBeNull();
});

it('offers a button that reconnects after the fifth failure', async () => {
  await failAllConnections();
  expect(page.textContent).toBe('Not connected. Messages will send once connectedReconnectNot connected');
  expect(button()?.textContent).toBe('Reconnect');
  const before = sockets.length;
  await advance(600_000);
  expect(sockets).toHaveLength(before);
  await act(async () => button()?.click());
  expect(sockets).toHaveLength(before + 1);
  expect(page.textContent).toBe(`${CONNECTING}Connecting...`);
  await openSocket();
  expect(page.textContent).toBe('Connected');
});

it('shows only the offline banner while the device is offline', async () => {
  await failAllConnections();
  online = false;
  await act(async () => void dispatchEvent(new Event('offline')));
  expect(page.textContent).toBe("You're offline. You can read and write; we'll send later.Not connected");
  expect(button()).toBeNull();
});
