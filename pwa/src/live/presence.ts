import { useSyncExternalStore } from 'react';
import type { FrameSource } from './frameSource.ts';

/** "Typing" ends after this time without a signal, should the end signal be lost. */
const TYPING_MS = 6000;

/** The members who are online; null until the server has listed them. */
let online: Set<string> | null = null;
let connected = false;
/** The time each member was last seen, by the events of this tab. */
const lastSeen = new Map<string, string>();
const typing = new Map<string, ReturnType<typeof setTimeout>>();
const listeners = new Set<() => void>();

function notify(): void {
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

function stopTyping(userId: string): void {
  clearTimeout(typing.get(userId));
  if (typing.delete(userId)) notify();
}

function startTyping(userId: string): void {
  clearTimeout(typing.get(userId));
  typing.set(
    userId,
    setTimeout(() => stopTyping(userId), TYPING_MS),
  );
  notify();
}

/** Tracks the members who are online or typing. The state is not stored, because it is valid for seconds only. */
export function followPresence(socket: FrameSource): void {
  socket.on('online_users', ({ users }) => {
    online = new Set(users);
    notify();
  });
  socket.on('user_status_changed', ({ userId, isOnline, lastSeen: seenAt }) => {
    if (seenAt) lastSeen.set(userId, seenAt);
    if (isOnline) online?.add(userId);
    else online?.delete(userId);
    if (!isOnline) stopTyping(userId);
    notify();
  });
  socket.on('user_typing', ({ userId, isTyping }) => (isTyping ? startTyping(userId) : stopTyping(userId)));
  socket.on('new_message', ({ senderId }) => stopTyping(senderId));
  socket.onStatus(() => {
    connected = socket.status === 'open';
    if (!connected) online = null;
    notify();
  });
}

export const useIsTyping = (userId: string) => useSyncExternalStore(subscribe, () => typing.has(userId));

/** Returns the later of `known`, the time in the last response, and that of the events; null if `known` is null. */
export const useLastSeen = (userId: string, known: string | null) =>
  useSyncExternalStore(subscribe, () => {
    const latest = lastSeen.get(userId);
    return known && latest && latest > known ? latest : known;
  });

/** Returns whether a member is online; `known` is the state in the last response. Without a connection no member is. */
export const useIsOnline = (userId: string, known: boolean) =>
  useSyncExternalStore(subscribe, () => connected && (online?.has(userId) ?? known));
