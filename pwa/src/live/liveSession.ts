/**
 * Starts what a signed-in tab runs: database, outbox, socket, sync. Import it lazily after the first paint, and call
 * `startSession` once the member is known.
 */

import { useSyncExternalStore } from 'react';
import { api, unwrap } from '@/api/client.ts';
import { ApiError } from '@/api/request.ts';
import { sessionRefused, socketRefused } from '@/base/events.ts';
import { startSession as openSession } from '@/base/pageSession.ts';
import { deviceMember } from '@/base/storage.ts';
import { deviceTimeZone } from '@/base/timeZone.ts';
import { startSettingsSync } from '@/domain/storedSettings.ts';
import { repairPushSubscription } from '@/offline/device/push.ts';
import { drain } from '@/offline/outbox/drain.ts';
import { startOutbox } from '@/offline/outbox/outbox.ts';
import { senderOf } from '@/offline/outbox/sender.ts';
import { checkConnection, dbOf, type HeartwardDb, rereadTables } from '@/offline/store/db.ts';
import { whenIdle } from '@/offline/store/idle.ts';
import { prune } from '@/offline/store/quota.ts';
import { onWipe } from '@/offline/store/teardown.ts';
import { catchUp, stopCatchingUp } from '@/offline/sync/catchUp.ts';
import { fetchChanges, fetchDelta } from '@/offline/sync/sync.ts';
import { applyEvents } from './applyEvents.ts';
import type { SocketStatus } from './frameSource.ts';
import { startLeaderElection } from './leadership.ts';
import { trackPresence } from './presence.ts';
import { SharedSocket } from './sharedSocket.ts';
import { Socket } from './socket.ts';

/** After the socket has given up, the server is probed over HTTP at this interval. */
const PROBE_MS = 20_000;

const requestOnlineUsers = () => socket.send({ type: 'get_online_users' });
const url = () => `${location.origin.replace(/^http/, 'ws')}/ws`;

export const socket = new SharedSocket(
  new Socket({ url, onSignedOut: sessionRefused.emit, onRefused: socketRefused.emit }),
);
trackPresence(socket);

let startedDb: HeartwardDb | null = null;
let stop: () => void = () => undefined;

/**
 * Starts the database, the outbox and the socket of the member; a second call for the same member does nothing.
 */
export function startSession(memberId: string): void {
  if (startedDb?.memberId === memberId) return;
  stop();
  // Not earlier: a like whose result comes before the app listens for results could not be celebrated.
  const db = dbOf(openSession(memberId));
  senderOf(db).setDrain(drain);
  startedDb = db;
  const stops = [
    handlePageEvents(db),
    startSettingsSync(db, deviceTimeZone()),
    startLeaderElection(db.scope, (role) => (role === 'leader' ? lead(db) : follow(db))),
  ];
  stop = () => {
    for (const end of stops) end();
    startedDb = null;
  };
}

/** The leader has the socket, syncs and sends the outbox, for all tabs of the member. */
function lead(db: HeartwardDb): () => void {
  const stops = [
    startOutbox(db, 'leader'),
    applyEvents(socket, db),
    handleOutboxResults(db),
    handleSocketEvents(db),
    socket.lead(db.scope),
    stopCatchingUp,
  ];
  void whenIdle().then(() => {
    void prune(db).catch(() => undefined);
    void repairPushSubscription().catch(() => undefined);
  });
  return () => {
    for (const end of stops) end();
  };
}

/** A follower receives the leader's frames and reads the data it stores. */
function follow(db: HeartwardDb): () => void {
  const stops = [
    startOutbox(db, 'follower'),
    socket.onStatus(() => socket.status === 'open' && requestOnlineUsers()),
    socket.follow(db.scope),
  ];
  return () => {
    for (const end of stops) end();
  };
}

/** Stops what `startSession` started, until it is called again. */
export function stopSession(): void {
  if (startedDb) stop();
}

onWipe(stopSession);

/**
 * Reacts to the results of the outbox. An acknowledged message may follow messages that are not on the device: they are
 * fetched. A 404 means that the device's copy of the conversation is out of date: it is fetched again.
 */
function handleOutboxResults(db: HeartwardDb): () => void {
  return senderOf(db).onSettled((result) => {
    const { conversationId, kind } = result.row;
    if (!result.ok) {
      if (result.status === 404 && conversationId) void fetchDelta(db, conversationId).catch(() => undefined);
      return;
    }
    if (result.gap && conversationId) {
      const changed = kind === 'reaction' || kind === 'delete';
      void (changed ? fetchChanges : fetchDelta)(db, conversationId)
        // The server has renumbered the messages: only a sync fetches the conversation's row.
        .then(async () => (await db.conversations.get(conversationId))?.stale && catchUp(db))
        .catch(() => undefined);
    }
    if (
      result.row.kind === 'like' &&
      result.response &&
      'isMatch' in result.response &&
      result.response.isMatch
    )
      catchUp(db);
    // The server is reachable, so the socket need not wait for the end of its backoff.
    if (socket.status !== 'open') socket.reconnectNow();
  });
}

function handleSocketEvents(db: HeartwardDb): () => void {
  let probe: ReturnType<typeof setInterval> | undefined;
  let isStopped = false;
  let isFirst = true;
  const syncAfterStart = async () => {
    // The screen's own data come first; a later connection syncs at once.
    if (isFirst) await whenIdle();
    isFirst = false;
    if (!isStopped) catchUp(db);
  };
  const stops = [
    // Events were lost, perhaps also changes of presence.
    socket.on('sync', requestOnlineUsers),
    socket.onStatus(() => {
      clearInterval(probe);
      if (socket.status === 'gaveUp') probe = setInterval(probeServer, PROBE_MS);
    }),
    // The first frame of a connection. The cookie may be another member's by now, whose data must not be stored here.
    socket.on('identified', ({ userId }) => {
      if (userId !== db.memberId) {
        socket.disconnect();
        sessionRefused.emit();
        return;
      }
      requestOnlineUsers();
      void syncAfterStart();
      senderOf(db).kick({ eager: true });
    }),
  ];
  return () => {
    isStopped = true;
    clearInterval(probe);
    for (const stop of stops) stop();
  };
}

async function probeServer(): Promise<void> {
  if (document.visibilityState !== 'visible') return;
  try {
    await unwrap(api.GET('/api/auth/user'));
    socket.reconnectNow();
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) sessionRefused.emit();
  }
}

/**
 * When the page resumes, checks the database, which iOS may have closed, and the socket, and reads the tables to which
 * the worker may have written.
 */
function handlePageEvents(db: HeartwardDb): () => void {
  const resume = () => {
    if (document.visibilityState !== 'visible') return;
    // Another tab has signed out meanwhile: this page will be replaced, and must not create the database again.
    if (deviceMember() !== db.memberId) return;
    void checkConnection(db).then(() => rereadTables(db, ['outbox', 'messages', 'threads', 'conversations']));
    if (socket.isLeader && socket.status === 'open') catchUp(db);
    socket.reconnectNow();
  };
  const events = ['online', 'pageshow'] as const;
  for (const event of events) addEventListener(event, resume);
  document.addEventListener('visibilitychange', resume);
  return () => {
    for (const event of events) removeEventListener(event, resume);
    document.removeEventListener('visibilitychange', resume);
  };
}

export function useSocketStatus(): SocketStatus {
  return useSyncExternalStore(socket.onStatus, () => socket.status);
}
