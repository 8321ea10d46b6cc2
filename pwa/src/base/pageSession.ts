/**
 * The session of the member who is signed in on this page: what the app keeps in memory for them, and what runs for
 * them. It is made of parts (the database, the outbox, the socket, the queue of celebrations …), each created when it is
 * first needed, and all stopped together, before the member's data is deleted or locked or another member is shown:
 *
 *   const senderOf = part((session) => new Sender(dbOf(session)));
 *   senderOf(session).kick()
 *
 * A folder or feature declares its own parts, so this file knows none of them. Components get the session by
 * `useSession`, other functions by an argument: the session itself or a part with a `session`, such as the database.
 */
import { createContext, use } from 'react';

/** The session, or a part that belongs to it. */
export type InSession = { readonly session: Session };

type Teardown = () => unknown;

export class Session implements InSession {
  readonly session = this;
  private readonly parts = new Map<unknown, unknown>();
  private readonly teardowns: Teardown[] = [];
  private stopping: Promise<unknown> | undefined;
  private stopped = false;

  constructor(readonly memberId: string) {}

  get isStopped(): boolean {
    return this.stopped;
  }

  /** Returns the part that `create` makes, the same one each time. */
  get<T>(create: (session: Session) => T): T {
    if (!this.parts.has(create)) this.parts.set(create, create(this));
    return this.parts.get(create) as T;
  }

  /** Registers what stops a part. In a stopped session, which lasts until the page is left, it runs at once. */
  onStop(teardown: Teardown): void {
    if (this.isStopped) void attempt(teardown);
    else this.teardowns.push(teardown);
  }

  /** Stops every part, the newest first, even if one fails. Resolves when all are stopped. */
  stop(): Promise<unknown> {
    this.stopped = true; // first: what a teardown registers runs at once
    this.stopping ??= Promise.all(this.teardowns.reverse().map(attempt));
    return this.stopping;
  }
}

/** Declares a part. Returns the function that gets it from a session. */
export const part =
  <T>(create: (session: Session) => T) =>
  ({ session }: InSession): T =>
    session.get(create);

/** Runs one step of stopping or of signing out. Its failure is logged, so that the next steps, which delete data, still run. */
export async function attempt(step: () => unknown): Promise<void> {
  try {
    await step();
  } catch (error) {
    console.warn('A step of signing out failed', error);
  }
}

/** The page's session: a page shows one member. */
let current: Session | null = null;

/** Returns the page's session of this member. Starts it, and stops that of another member, unless it is running. */
export function startSession(memberId: string): Session {
  if (current?.memberId === memberId && !current.isStopped) return current;
  void current?.stop();
  current = new Session(memberId);
  return current;
}

/** Stops the page's session, if there is one. Resolves when it is stopped. */
export async function stopSession(): Promise<void> {
  await current?.stop();
}

/** Gives the session to the components of a signed-in member. It is null for visitors. */
export const SessionContext = createContext<Session | null>(null);

/** Returns the session. Only for components below `Gate`; throws if no member is signed in. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('useSession needs a signed-in member');
  return session;
}
