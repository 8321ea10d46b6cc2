import { useSyncExternalStore } from 'react';
import { sessionRefused, socketRefused } from '@/base/events.ts';
import { part, useSession } from '@/base/pageSession.ts';
import type { SocketStatus } from './frameSource.ts';
import { SharedSocket } from './sharedSocket.ts';
import { Socket } from './socket.ts';

const url = () => `${location.origin.replace(/^http/, 'ws')}/ws`;

/** The session's socket, which it shares with the member's other tabs. It connects when the session goes live. */
export const socketOf = part(
  () =>
    new SharedSocket(new Socket({ url, onSignedOut: sessionRefused.emit, onRefused: socketRefused.emit })),
);

export const useSocket = (): SharedSocket => socketOf(useSession());

export function useSocketStatus(): SocketStatus {
  const socket = useSocket();
  return useSyncExternalStore(socket.onStatus, () => socket.status);
}
