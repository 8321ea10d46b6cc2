/**
 * Brings a signed-in tab to life: database, outbox, socket, sync. Import it
 * lazily after the first paint and call `startSession` once the member is known.
 */
import { useSyncExternalStore } from 'react';
import { api, unwrap } from '@/api/client.ts';
import { ApiError } from '@/api/request.ts';
import { repairPushSubscription } from '@/offline/device/push.ts';
import { drain } from '@/offline/outbox/drain.ts';
import { kick, onSettled, setDrain, startOutbox } from '@/offline/outbox/outbox.ts';
import { checkConnection, type HeartwardDb, openDb, rereadTables } from '@/offline/store/db.ts';
import { prune } from '@/offline/store/quota.ts';
import { onWipe } from '@/offline/store/teardown.ts';
import { catchUp, stopCatchingUp } from '@/offline/sync/catchUp.ts';
import { followSettings } from '@/offline/sync/settings.ts';
import { fetchChanges, fetchDelta } from '@/offline/sync/sync.ts';
import { deviceMember } from '@/session/storage.ts';
import { applyEvents } from './events.ts';
import type { SocketStatus } from './frameSource.ts';
import { takeRole } from './leadership.ts';
import { followPresence } from './presence.ts';
import { SharedSocket } from './sharedSocket.ts';
import { Socket } from './socket.ts';

/** How often a tab that gave up asks over HTTP whether the server is back. */
const PROBE_MS = 20_000;

const askWhoIsOnline = () => socket.send({ type: 'get_online_users' });
const signedOut = () => dispatchEvent(new Event('hw:unauthorized'));
const url = () => `${location.origin.replace(/^http/, 'ws')}/ws`;

export const socket = new SharedSocket(new Socket({ url, onSignedOut: signedOut }));
followPresence(socket);
setDrain(drain);

let started: HeartwardDb | null = null;
let stop: () => void = () => undefined;

/**
 * Starts everything for the member; the same member twice is nothing new. When
 * the session turns out to be over, `hw:unauthorized` is dispatched on window.
 */
export function startSession(memberId: string): void {
  if (started?.memberId === memberId) return;
  stop();
  const db = openDb(memberId);
  started = db;
  const stops = [
    followDevice(db),
    followSettings(db),
    takeRole(memberId, (role) => (role === 'leader' ? lead(db) : follow(db))),
  ];
  stop = () => {
    for (const end of stops) end();
    started = null;
  };
}

/** One tab talks to the server for all: it holds the socket, syncs and sends the outbox. */
function lead(db: HeartwardDb): () => void {
  const stops = [
    startOutbox(db, 'leader'),
    applyEvents(socket, db),
    followAnswers(db),
    followStatus(db),
    socket.lead(db.memberId),
    stopCatchingUp,
  ];
  void prune(db).catch(() => undefined);
  void repairPushSubscription().catch(() => undefined);
  return () => {
    for (const end of stops) end();
  };
}

/** The other tabs read what the leader stores, and receive its frames. */
function follow(db: HeartwardDb): () => void {
  const stops = [
    startOutbox(db, 'follower'),
    socket.onStatus(() => socket.status === 'open' && askWhoIsOnline()),
    socket.follow(db.memberId),
  ];
  return () => {
    for (const end of stops) end();
  };
}

onWipe(() => stop());

/**
 * An acknowledged message that others of the conversation preceded: fetch those. One that was refused because
 * there is no such conversation says that the device's copy is wrong: asking for it puts that right.
 */
function followAnswers(db: HeartwardDb): () => void {
  return onSettled((result) => {
    const { conversationId, kind } = result.row;
    if (!result.ok) {
      if (result.status === 404 && conversationId) void fetchDelta(db, conversationId).catch(() => undefined);
      return;
    }
    if (result.gap && conversationId) {
      const changed = kind === 'reaction' || kind === 'delete';
      void (changed ? fetchChanges : fetchDelta)(db, conversationId)
        // Numbered anew: only a sync brings the conversation's own figures.
        .then(async () => (await db.conversations.get(conversationId))?.stale && catchUp(db))
        .catch(() => undefined);
    }
    if (result.row.kind === 'like' && result.answer && 'isMatch' in result.answer && result.answer.isMatch)
      catchUp(db);
    // The server answers again, so the socket need not wait out its backoff.
    if (socket.status !== 'open') socket.reconnectNow();
  });
}

function followStatus(db: HeartwardDb): () => void {
  let probe: ReturnType<typeof setInterval> | undefined;
  const offs = [
    // Events were lost, maybe also of members who came or went.
    socket.on('sync', askWhoIsOnline),
    socket.onStatus(() => {
      clearInterval(probe);
      if (socket.status === 'gaveUp') probe = setInterval(askWhetherBack, PROBE_MS);
    }),
    // The server's first word. The cookie may be another member's by now, whose data must not come here.
    socket.on('identified', ({ userId }) => {
      if (userId !== db.memberId) {
        socket.disconnect();
        signedOut();
        return;
      }
      askWhoIsOnline();
      catchUp(db);
      kick({ eager: true });
    }),
  ];
  return () => {
    clearInterval(probe);
    for (const off of offs) off();
  };
}

async function askWhetherBack(): Promise<void> {
  if (document.visibilityState !== 'visible') return;
  try {
    await unwrap(api.GET('/api/auth/user'));
    socket.reconnectNow();
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) signedOut();
  }
}

/** Waking up: the database may be gone (iOS), the socket dead, and the worker may have written. */
function followDevice(db: HeartwardDb): () => void {
  const wake = () => {
    if (document.visibilityState !== 'visible') return;
    // Signed out elsewhere while this tab slept: it is about to go, and must not bring the database back.
    if (deviceMember() !== db.memberId) return;
    void checkConnection(db).then(() => rereadTables(db, ['outbox', 'messages', 'threads', 'conversations']));
    if (socket.isLeader && socket.status === 'open') catchUp(db);
    socket.reconnectNow();
  };
  const events = ['online', 'pageshow'] as const;
  for (const event of events) addEventListener(event, wake);
  document.addEventListener('visibilitychange', wake);
  return () => {
    for (const event of events) removeEventListener(event, wake);
    document.removeEventListener('visibilitychange', wake);
  };
}

export function useSocketStatus(): SocketStatus {
  return useSyncExternalStore(socket.onStatus, () => socket.status);
}
