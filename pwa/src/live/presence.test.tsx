import { act } from 'react';
import type { Root } from 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import { startSession, stopSession } from '@/base/pageSession.ts';
import { createMemberRoot, ME } from '@/offline/testkit.ts';
import type { SocketStatus } from './frameSource.ts';
import { presenceOf, useIsOnline, useLastSeen } from './presence.ts';
import { socketOf } from './sessionSocket.ts';

/** What the server and the network do to the socket. */
type Driven = { emit: (frame: unknown) => void; setStatus: (status: SocketStatus) => void };
const socket = () => socketOf(startSession(ME)) as unknown as Driven;

let result: { online: boolean; seen: string | null };
function Probe({ known }: { known: string | null }) {
  result = { online: useIsOnline('ben', false), seen: useLastSeen('ben', known) };
  return null;
}

let root: Root;
const show = (known: string | null) => act(async () => root.render(<Probe known={known} />));
const emit = (type: string, frame: Record<string, unknown>) =>
  act(async () => socket().emit({ type, ...frame }));

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  await stopSession();
  presenceOf(startSession(ME));
  socket().setStatus('open');
  root = createMemberRoot(document.createElement('div'));
  return async () => {
    await act(async () => root.unmount());
    vi.unstubAllGlobals();
  };
});

const noon = '2026-11-20T12:00:00Z';
const evening = '2026-11-20T18:00:00Z';

it('shows the last seen time of the latest event, and no time if the member hides it', async () => {
  await emit('online_users', { users: ['ben'] });
  await show(noon);
  expect(result).toEqual({ online: true, seen: noon });
  await emit('user_status_changed', { userId: 'ben', isOnline: false, lastSeen: evening });
  expect(result).toEqual({ online: false, seen: evening });
  // One of the two hides the presence: the conversation has no time, so that of an earlier event is not shown either.
  await emit('user_status_changed', { userId: 'ben', isOnline: false, lastSeen: null });
  await show(null);
  expect(result).toEqual({ online: false, seen: null });
  await emit('user_status_changed', { userId: 'ben', isOnline: true, lastSeen: null });
  await show(noon);
  expect(result).toEqual({ online: true, seen: evening });
});

it('shows no member as online while the device is offline', async () => {
  await emit('online_users', { users: ['ben'] });
  await show(noon);
  expect(result.online).toBe(true);
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await act(async () => void dispatchEvent(new Event('offline')));
  expect(result.online).toBe(false);
  online.mockReturnValue(true);
  await act(async () => void dispatchEvent(new Event('online')));
  expect(result.online, 'the socket was not closed').toBe(true);
});
