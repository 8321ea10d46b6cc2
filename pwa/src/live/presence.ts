import { useSyncExternalStore } from 'react';
import type { FrameSource } from './frameSource.ts';

/** A writer who vanished stops "typing" by themselves after this. */
const TYPING_MS = 6000;

/** The members who are online; null until the server has listed them. */
let online: Set<string> | null = null;
let connected = false;
/** When members were seen last, by the events of this tab. */
const lastSeen = new Map<string, string>();
const typing = new Map<string, ReturnType<typeof setTimeout>>();
const listeners = new Set<() => void>();

function changed(): void {
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

function stopTyping(userId: string): void {
  clearTimeout(typing.get(userId));
  if (typing.delete(userId)) changed();
}

function startTyping(userId: string): void {
  clearTimeout(typing.get(userId));
  typing.set(
    userId,
    setTimeout(() => stopTyping(userId), TYPING_MS),
  );
  changed();
}

/** Follows who is online and who is typing. Kept in memory only: it is true for seconds. */
export function followPresence(socket: FrameSource): void {
  socket.on('online_users', ({ users }) => {
    online = new Set(users);
    changed();
  });
  socket.on('user_status_changed', ({ userId, isOnline, lastSeen: seenAt }) => {
    if (seenAt) lastSeen.set(userId, seenAt);
    if (isOnline) online?.add(userId);
    else online?.delete(userId);
    if (!isOnline) stopTyping(userId);
    changed();
  });
  socket.on('user_typing', ({ userId, isTyping }) => (isTyping ? startTyping(userId) : stopTyping(userId)));
  socket.on('new_message', ({ senderId }) => stopTyping(senderId));
  socket.onStatus(() => {
    connected = socket.status === 'open';
    if (!connected) online = null;
    changed();
  });
}

export const useIsTyping = (userId: string) => useSyncExternalStore(subscribe, () => typing.has(userId));

/** The later of what the last answer said and what was told since; null where one of the two hides it. */
export const useLastSeen = (userId: string, known: string | null) =>
  useSyncExternalStore(subscribe, () => {
    const told = lastSeen.get(userId);
    return known && told && told > known ? told : known;
  });

/** `known` is the state in the last response. Without a connection no member is shown as online. */
export const useIsOnline = (userId: string, known: boolean) =>
  useSyncExternalStore(subscribe, () => connected && (online?.has(userId) ?? known));
