import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, unwrap } from '@/api/client.ts';
import { ApiError } from '@/api/request.ts';
import type { Me } from '@/api/types.ts';
import { startSession } from '@/base/pageSession.ts';
import { deviceMember, preserveTheme, storageKeys } from '@/base/storage.ts';
import {
  bindDeviceTo,
  blankAndNavigate,
  endSession,
  prepareSignOut,
  wipeDevice,
} from '@/offline/device/wipe.ts';
import { whenIdle } from '@/offline/store/idle.ts';
import { meKey, queryClient } from './query.ts';

const DEVICE_ME_KEY = ['me', 'device'];
/** How long to wait for the server before the member on this device is shown. */
const SERVER_WAIT_MS = 2000;

/** The work that ends the session. */
let ending: Promise<unknown> = Promise.resolve();

/**
 * Runs work in which the server ends the session of this page. The server closes the socket before it answers: until the
 * work is done the page does not ask about its session, because the answer would make it leave before the work's own.
 */
export function whileSessionEnds<T>(work: () => Promise<T>): Promise<T> {
  const result = work();
  ending = result.catch(() => undefined);
  return result;
}

/** Fetches the signed-in member. Before it resolves, the device's data is bound to that member, locked or wiped. */
export async function fetchMe(signal: AbortSignal): Promise<Me | null> {
  await ending;
  if (localStorage.getItem(storageKeys.signOutPending)) await preserveTheme(endServerSession);
  const before = deviceMember();
  // Any error is thrown: only our own server may end a session; a captive portal or a proxy must not lock or wipe the
  // device.
  const { member: me, code } = await unwrap(api.GET('/api/auth/session', { signal }));
  if (me === undefined) throw new ApiError(0, 'network', 'The response is not of our server');
  // A member signed in during the request, so the response is about an earlier session.
  if (signal.aborted || deviceMember() !== before) throw new ApiError(0, 'network', 'The session changed');
  await preserveTheme(() =>
    me ? bindDeviceTo(me.id) : endSession(code === 'session_revoked' ? 'revoked' : 'expired'),
  );
  if (me) storeOnDevice(me);
  // Reloads a page that shows the previous member's data.
  const shownMember = queryClient.getQueryData(meKey) ?? queryClient.getQueryData(DEVICE_ME_KEY);
  if (shownMember && before !== (me?.id ?? null)) blankAndNavigate(() => location.reload());
  return me;
}

async function endServerSession(): Promise<void> {
  try {
    await unwrap(api.POST('/api/auth/logout'));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
  }
  localStorage.removeItem(storageKeys.signOutPending);
}

/** Opens the database for the first screen, and stores the own profile for offline reading when the browser is idle. */
function storeOnDevice(me: Me): void {
  void openDevice(me.id).catch(() => undefined);
  // It fails when a sign-out deletes the database meanwhile. After any other failure the next response stores it.
  void whenIdle()
    .then(() => putOnDevice(me))
    .catch(() => undefined);
}

/** Opens the member's database while the screen is prepared: on a new device it must be created. */
async function openDevice(memberId: string): Promise<void> {
  const { dbOf } = await import('@/offline/store/db.ts');
  if (deviceMember() === memberId) await dbOf(startSession(memberId)).open();
}

async function putOnDevice(me: Me): Promise<void> {
  const { dbOf } = await import('@/offline/store/db.ts');
  if (deviceMember() === me.id) await dbOf(startSession(me.id)).me.put(me);
}

async function readDeviceMe(): Promise<Me | null> {
  const id = deviceMember();
  if (!id) return null;
  const { dbOf } = await import('@/offline/store/db.ts');
  return (await dbOf(startSession(id)).me.get(id)) ?? null;
}

export type SessionState = {
  me: Me | null;
  /** 'offline': the server cannot be reached; `me` is the profile stored on the device, or null. */
  status: 'loading' | 'signedOut' | 'signedIn' | 'offline';
  retry: () => unknown;
};

/** Whether the account is suspended, under review or going to be deleted: the server refuses all but a few operations. */
export const isRestricted = ({ profileStatus, deletionDueAt, isAdmin }: Me): boolean =>
  Boolean(deletionDueAt) || (!isAdmin && (profileStatus === 'suspended' || profileStatus === 'under_review'));

/** Returns the signed-in member; offline the one stored on this device. */
export function useMe(): SessionState {
  const server = useQuery({
    queryKey: meKey,
    queryFn: ({ signal }) => fetchMe(signal),
    staleTime: 30_000,
    refetchOnReconnect: 'always',
    refetchInterval: (query) => (query.state.status === 'error' ? 15_000 : false),
  });
  const slow = useSlow(server.isPending);
  // Counts all failures: during a retry, a query that never succeeded is "pending" again.
  const failed = server.errorUpdateCount > 0;
  const unreachable = server.data === undefined && (failed || slow) && deviceMember() !== null;
  const device = useQuery({
    queryKey: DEVICE_ME_KEY,
    queryFn: readDeviceMe,
    enabled: unreachable,
    gcTime: 0,
  });
  const retry = () => server.refetch();

  if (server.data) return { me: server.data, status: 'signedIn', retry };
  if (server.data === null) return { me: null, status: 'signedOut', retry };
  if (unreachable) {
    if (device.data) return { me: device.data, status: 'offline', retry };
    return {
      me: null,
      status: device.isPending || (server.isPending && !failed) ? 'loading' : 'offline',
      retry,
    };
  }
  return { me: null, status: server.isError ? 'signedOut' : 'loading', retry };
}

function useSlow(pending: boolean): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!pending) return;
    const timer = setTimeout(() => setSlow(true), SERVER_WAIT_MS);
    return () => clearTimeout(timer);
  }, [pending]);
  return pending && slow;
}

/** Returns the signed-in member. Only for components below `Gate`; throws if no member is signed in. */
export function useMember(): Me {
  // A screen just mounted has not waited for SERVER_WAIT_MS yet, as the gate has.
  const me = useMe().me ?? queryClient.getQueryData<Me>(DEVICE_ME_KEY);
  if (!me) throw new Error('useMember needs a signed-in member');
  return me;
}

/** Returns what is known of the signed-in member, for functions outside of components; null if nothing is. */
export const currentMember = (): Me | null =>
  queryClient.getQueryData<Me>(meKey) ?? queryClient.getQueryData<Me>(DEVICE_ME_KEY) ?? null;

/** Sets the signed-in member, from the response to a sign-up, a sign-in or a change of the own profile. */
export async function setMe(me: Me): Promise<void> {
  // A request in flight was sent earlier and must not overwrite this.
  await queryClient.cancelQueries({ queryKey: meKey });
  localStorage.removeItem(storageKeys.signOutPending);
  if (deviceMember() !== me.id) await preserveTheme(() => bindDeviceTo(me.id));
  queryClient.setQueryData(meKey, me);
  storeOnDevice(me);
}

/** Fetches the own profile again: counts and completeness change with photos, likes and messages. */
export function refreshMe(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: meKey });
}

/**
 * Ends the session and wipes the device. Offline, the session is ended at the next start.
 */
export async function signOut(): Promise<void> {
  // The response makes the browser clear its storage, so the theme is read before the request.
  await preserveTheme(async () => {
    await prepareSignOut().catch(() => undefined);
    const ended = await unwrap(api.POST('/api/auth/logout')).then(
      () => true,
      (error) => error instanceof ApiError && error.status === 401,
    );
    await wipeDevice();
    if (!ended) localStorage.setItem(storageKeys.signOutPending, '1');
  });
  blankAndNavigate();
}
