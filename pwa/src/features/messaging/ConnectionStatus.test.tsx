import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import { socket } from '@/live/start.ts';
import { ConnectionBadge, ConnectionBanner } from './ConnectionStatus.tsx';

/** The connections that were tried. */
let tried: { onopen?: () => void; onclose?: (event: { code: number }) => void }[];
let online: boolean;
let page: HTMLElement;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  tried = [];
  online = true;
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => online);
  vi.stubGlobal(
    'WebSocket',
    class {
      onopen?: () => void;
      onclose?: (event: { code: number }) => void;
      constructor() {
        tried.push(this);
      }
      send = () => undefined;
      close = () => undefined;
    },
  );
  page = document.createElement('div');
  const root = createRoot(page);
  await act(async () => {
    socket.connect();
    root.render(
      <>
        <ConnectionBanner />
        <ConnectionBadge />
      </>,
    );
  });
  return async () => {
    await act(async () => root.unmount());
    socket.disconnect();
    vi.unstubAllGlobals();
    vi.useRealTimers();
  };
});

const pass = (ms: number) => act(async () => vi.advanceTimersByTime(ms));
const connected = () => act(async () => tried.at(-1)?.onopen?.());
const lost = () => act(async () => tried.at(-1)?.onclose?.({ code: 1006 }));
const button = () => page.querySelector('button');
const CONNECTING = 'Connecting... Messages will send once connected';

/** The first connection and the five tries to come back, none of which works. */
async function giveUp() {
  await lost();
  for (let failure = 1; failure <= 5; failure++) {
    expect([button(), page.textContent]).toEqual([null, expect.stringContaining('Connecting...')]);
    for (const before = tried.length; tried.length === before; ) await pass(500);
    await lost();
  }
}

it('says nothing of a connection, nor of a reconnect that is nobody’s business', async () => {
  await connected();
  expect(page.textContent).toBe('Connected');
  await pass(5000);
  await lost();
  await pass(1000);
  expect(page.textContent).toBe('Connecting...');
  await connected();
  await pass(5000);
  expect(page.textContent).toBe('Connected');
});

it('says while it takes longer that messages wait', async () => {
  await pass(1500);
  expect(page.textContent).toBe(`${CONNECTING}Connecting...`);
  expect(button()).toBeNull();
});

it('leaves it to the member after the fifth failure: one tap connects', async () => {
  await giveUp();
  expect(page.textContent).toBe('Not connected. Messages will send once connectedReconnectNot connected');
  expect(button()?.textContent).toBe('Reconnect');
  const before = tried.length;
  await pass(600_000);
  expect(tried).toHaveLength(before);
  await act(async () => button()?.click());
  expect(tried).toHaveLength(before + 1);
  expect(page.textContent).toBe(`${CONNECTING}Connecting...`);
  await connected();
  expect(page.textContent).toBe('Connected');
});

it('says of a device without a network only that', async () => {
  await giveUp();
  online = false;
  await act(async () => void dispatchEvent(new Event('offline')));
  expect(page.textContent).toBe("You're offline. You can read and write; we'll send later.Not connected");
  expect(button()).toBeNull();
});
