import { part, type Session, useSession } from '@/base/pageSession.ts';
import { createEmitter } from '@/base/store.ts';
import type { FrameSource } from './frameSource.ts';
import { socketOf } from './sessionSocket.ts';

/** "Typing" ends after this time without a signal, because the end signal may be lost. */
const TYPING_MS = 6000;

/** The members who are online or typing. The state is not stored, because it is valid for seconds only. */
class Presence {
  private readonly changes = createEmitter();
  /** The members who are online; null until the server has listed them. */
  private online: Set<string> | null = null;
  private connected = false;
  /** The time each member was last seen, by the events of this tab. */
  private readonly lastSeen = new Map<string, string>();
  private readonly typing = new Map<string, ReturnType<typeof setTimeout>>();
  readonly useValue = this.changes.useValue;

  constructor(
    private readonly socket: FrameSource,
    session: Session,
  ) {
    socket.on('online_users', ({ users }) => {
      this.online = new Set(users);
      this.changes.emit();
    });
    socket.on('user_status_changed', ({ userId, isOnline, lastSeen: seenAt }) => {
      if (seenAt) this.lastSeen.set(userId, seenAt);
      if (isOnline) this.online?.add(userId);
      else this.online?.delete(userId);
      if (!isOnline) this.stopTyping(userId);
      this.changes.emit();
    });
    socket.on('user_typing', ({ userId, isTyping }) =>
      isTyping ? this.startTyping(userId) : this.stopTyping(userId),
    );
    socket.on('new_message', ({ senderId }) => this.stopTyping(senderId));
    socket.onStatus(this.checkConnection);
    addEventListener('online', this.checkConnection);
    addEventListener('offline', this.checkConnection);
    session.onStop(() => {
      removeEventListener('online', this.checkConnection);
      removeEventListener('offline', this.checkConnection);
    });
  }

  isTyping(userId: string): boolean {
    return this.typing.has(userId);
  }

  lastSeenOf(userId: string): string | undefined {
    return this.lastSeen.get(userId);
  }

  /** Whether a member is online; `known` is the state in the last response. Without a connection no member is. */
  isOnline(userId: string, known: boolean): boolean {
    return this.connected && (this.online?.has(userId) ?? known);
  }

  private stopTyping(userId: string): void {
    clearTimeout(this.typing.get(userId));
    if (this.typing.delete(userId)) this.changes.emit();
  }

  private startTyping(userId: string): void {
    clearTimeout(this.typing.get(userId));
    this.typing.set(
      userId,
      setTimeout(() => this.stopTyping(userId), TYPING_MS),
    );
    this.changes.emit();
  }

  private readonly checkConnection = (): void => {
    // A socket detects the loss of the network only by a missing pong, up to 33 s later.
    this.connected = this.socket.status === 'open' && navigator.onLine;
    if (this.socket.status !== 'open') this.online = null;
    this.changes.emit();
  };
}

export const presenceOf = part((session) => new Presence(socketOf(session), session));

function usePresence<T>(read: (presence: Presence) => T): T {
  const presence = presenceOf(useSession());
  return presence.useValue(() => read(presence));
}

export const useIsTyping = (userId: string) => usePresence((presence) => presence.isTyping(userId));

/** Returns the later of `known`, the time in the last response, and that of the events; null if `known` is null. */
export const useLastSeen = (userId: string, known: string | null) =>
  usePresence((presence) => {
    const latest = presence.lastSeenOf(userId);
    return known && latest && latest > known ? latest : known;
  });

/** Returns whether a member is online; `known` is the state in the last response. */
export const useIsOnline = (userId: string, known: boolean) =>
  usePresence((presence) => presence.isOnline(userId, known));
