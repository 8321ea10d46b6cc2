import { createEmitter } from '@/base/store.ts';
import type { FrameSource } from './frameSource.ts';

/** "Typing" ends after this time without a signal, because the end signal may be lost. */
const TYPING_MS = 6000;

/** The members who are online; null until the server has listed them. */
let online: Set<string> | null = null;
let connected = false;
/** The time each member was last seen, by the events of this tab. */
const lastSeen = new Map<string, string>();
const typing = new Map<string, ReturnType<typeof setTimeout>>();
const changes = createEmitter();

function stopTyping(userId: string): void {
  clearTimeout(typing.get(userId));
  if (typing.delete(userId)) changes.emit();
}

function startTyping(userId: string): void {
  clearTimeout(typing.get(userId));
  typing.set(
    userId,
    setTimeout(() => stopTyping(userId), TYPING_MS),
  );
  changes.emit();
}

/** Tracks the members who are online or typing. The state is not stored, because it is valid for seconds only. */
export function trackPresence(socket: FrameSource): void {
  socket.on('online_users', ({ users }) => {
    online = new Set(users);
    changes.emit();
  });
  socket.on('user_status_changed', ({ userId, isOnline, lastSeen: seenAt }) => {
    if (seenAt) lastSeen.set(userId, seenAt);
    if (isOnline) online?.add(userId);
    else online?.delete(userId);
    if (!isOnline) stopTyping(userId);
    changes.emit();
  });
  socket.on('user_typing', ({ userId, isTyping }) => (isTyping ? startTyping(userId) : stopTyping(userId)));
  socket.on('new_message', ({ senderId }) => stopTyping(senderId));
  const checkConnection = () => {
    // A socket detects the loss of the network only by a missing pong, up to 33 s later.
    connected = socket.status === 'open' && navigator.onLine;
    if (socket.status !== 'open') online = null;
    changes.emit();
  };
  socket.onStatus(checkConnection);
  addEventListener('online', checkConnection);
  addEventListener('offline', checkConnection);
}

export const useIsTyping = (userId: string) => changes.useValue(() => typing.has(userId));

/** Returns the later of `known`, the time in the last response, and that of the events; null if `known` is null. */
export const useLastSeen = (userId: string, known: string | null) =>
  changes.useValue(() => {
    const latest = lastSeen.get(userId);
    return known && latest && latest > known ? latest : known;
  });

/** Returns whether a member is online; `known` is the state in the last response. Without a connection no member is. */
export const useIsOnline = (userId: string, known: boolean) =>
  changes.useValue(() => connected && (online?.has(userId) ?? known));
