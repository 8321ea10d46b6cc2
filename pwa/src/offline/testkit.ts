/**
 * Fixtures of the offline tests: a database, and a fake server that numbers messages. A row is sent only by a drain that the
 * test awaits, or by the page's own drains if the test calls `setDrain`.
 */
import { createElement, type ReactNode } from 'react';
import { createRoot, type Root, type RootOptions } from 'react-dom/client';
import type { ConversationSummary, Message } from '../api/types.ts';
import { SessionContext, startSession, stopSession } from '../base/pageSession.ts';
import { storeDeviceMember } from './device/marker.ts';
import type { DrainEnv, Settled } from './outbox/drain.ts';
import { outboxData } from './outbox/outboxData.ts';
import { conversationsData } from './store/conversationsData.ts';
import { dbOf, type HeartwardDb } from './store/db.ts';
import { onPurge } from './store/purge.ts';
import { MESSAGE_DEFAULTS } from './store/rows.ts';

onPurge(conversationsData);
onPurge(outboxData);

export const ME = '019a0000-0000-7000-8000-00000000000a';
export const PEER = '019a0000-0000-7000-8000-00000000000b';
export const CONVERSATION = '019a0000-0000-7000-8000-0000000000c1';

/** A fresh database for the signed-in member. */
export async function freshDb(memberId = ME): Promise<HeartwardDb> {
  localStorage.setItem('hw.member', memberId);
  await stopSession();
  const db = openDb(memberId);
  await db.open();
  await Promise.all(db.tables.map((table) => table.clear()));
  await storeDeviceMember(memberId);
  return db;
}

/** Returns the database of the member, whose session it starts. */
export const openDb = (memberId: string): HeartwardDb => dbOf(startSession(memberId));

/** Shows the children to the signed-in member, whose session `freshDb` has started. */
export const SignedIn = ({ children }: { children: ReactNode }) =>
  createElement(SessionContext, { value: startSession(localStorage.getItem('hw.member') ?? ME) }, children);

/** A root whose components have the signed-in member's session. */
export function createMemberRoot(container: HTMLElement, options?: RootOptions): Root {
  const root = createRoot(container, options);
  return {
    render: (children) => root.render(createElement(SignedIn, null, children)),
    unmount: () => root.unmount(),
  };
}

/** The browser's Cache Storage, which happy-dom lacks; the content of each cache by address. */
export function fakeCaches(content: Record<string, Record<string, string>> = {}): CacheStorage {
  const contents = new Map(
    Object.entries(content).map(([name, entries]) => [
      name,
      new Map(Object.entries(entries).map(([path, text]) => [path, new Response(text)])),
    ]),
  );
  const pathOf = (request: RequestInfo | URL) =>
    new URL(request instanceof Request ? request.url : request, location.origin).pathname;
  const open = async (name: string) => {
    const cache = contents.get(name) ?? new Map<string, Response>();
    contents.set(name, cache);
    return {
      put: async (request: RequestInfo | URL, response: Response) =>
        void cache.set(pathOf(request), new Response(await response.text(), response)),
      keys: async () => [...cache.keys()],
      delete: async (request: RequestInfo | URL) => cache.delete(pathOf(request)),
    };
  };
  const fake = {
    open,
    keys: async () => [...contents.keys()],
    delete: async (name: string) => contents.delete(name),
    match: async (request: RequestInfo | URL, { cacheName }: MultiCacheQueryOptions = {}) => {
      const searchedCaches = [...contents].filter(([name]) => cacheName === undefined || name === cacheName);
      return searchedCaches
        .map(([, cache]) => cache.get(pathOf(request)))
        .find((response) => response !== undefined)
        ?.clone();
    },
  };
  return fake as unknown as CacheStorage;
}

export const message = (seq: number, change: Partial<Message> = {}): Message => ({
  id: `id-${seq}`,
  clientId: `client-${seq}`,
  conversationId: CONVERSATION,
  seq,
  senderId: PEER,
  content: `message ${seq}`,
  messageType: 'text',
  sentAt: new Date(Date.UTC(2026, 10, 20, 12, 0, seq)).toISOString(),
  readAt: null,
  ...MESSAGE_DEFAULTS,
  ...change,
});

export const summary = (change: Partial<ConversationSummary> = {}): ConversationSummary => ({
  id: CONVERSATION,
  matchId: 'match-1',
  user: {
    id: PEER,
    firstName: 'Ada',
    fullName: 'Ada Moss',
    age: 31,
    city: 'Portland',
    bio: '',
    profileImageUrl: null,
    placeholder: '',
    isVerified: false,
  },
  isFormer: false,
  lastMessage: null,
  lastSeq: 0,
  unreadCount: 0,
  readSeq: 0,
  deliveredSeq: 0,
  peerReadSeq: 0,
  peerDeliveredSeq: 0,
  isOnline: false,
  lastSeenAt: null,
  request: 'none',
  lastRev: 0,
  pinnedAt: null,
  mutedUntil: null,
  archivedSeq: null,
  turnEndedSeq: null,
  picturesShown: false,
  messageSparkAt: null,
  voiceConnectionAt: null,
  createdAt: '2026-11-20T10:00:00.000Z',
  ...change,
});

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
  });
}

type Request = { method: string; path: string; body: Record<string, string> };

/** Numbers messages, and returns the first result for a known clientId, like the real server. */
export class FakeServer {
  readonly requests: Request[] = [];
  readonly stored: Message[] = [];
  /** Its result, unless undefined, replaces the server's response; it may throw a network error. */
  intercept: (request: Request, count: number) => Response | undefined | Promise<Response | undefined> = () =>
    undefined;

  readonly fetch: typeof fetch = async (input, init) => {
    const httpRequest = new globalThis.Request(input, init);
    const { pathname, search } = new URL(httpRequest.url);
    const body = JSON.parse((await httpRequest.text()) || '{}');
    const request = { method: httpRequest.method, path: pathname + search, body };
    this.requests.push(request);
    const intercepted = await this.intercept(request, this.requests.length);
    if (intercepted) return intercepted;
    if (request.path === '/api/messages') return this.accept(request.body);
    return new Response(null, { status: 204 });
  };

  accept(body: Record<string, string>): Response {
    const existing = this.stored.find((row) => row.clientId === body.clientId);
    if (existing) return json(200, existing);
    const { clientId, content } = body;
    const newMessage = message(this.stored.length + 1, { clientId, content, senderId: ME });
    this.stored.push(newMessage);
    return json(201, newMessage);
  }
}

export function drainEnv(db: HeartwardDb, server: FakeServer, change: Partial<DrainEnv> = {}) {
  const results: Settled[] = [];
  const env: DrainEnv = {
    memberId: db.memberId,
    transact: db.transact,
    fetch: server.fetch,
    now: Date.now,
    random: () => 1,
    rowAdded: () => new Promise(() => undefined),
    isStopped: () => false,
    onSettled: (result) => void results.push(result),
    ...change,
  };
  return { env, results };
}

/** Fakes Web Locks requested with `ifAvailable`. */
export function fakeLocks(): Pick<LockManager, 'request' | 'query'> {
  const held = new Set<string>();
  const request = async (
    name: string,
    _options: LockOptions,
    work: (lock: Lock | null) => Promise<unknown>,
  ) => {
    if (held.has(name)) return work(null);
    held.add(name);
    try {
      return await work({ name, mode: 'exclusive' });
    } finally {
      held.delete(name);
    }
  };
  const query = async () => ({ held: [...held].map((name) => ({ name })), pending: [] });
  return { request: request as LockManager['request'], query };
}
