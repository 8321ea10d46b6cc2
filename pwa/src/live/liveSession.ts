/**
 * Starts what a signed-in tab runs: outbox, socket, sync. Import it lazily after the first paint, and call `goLive` once
 * the member is known.
 */

import { api, unwrap } from '@/api/client.ts';
import { ApiError } from '@/api/request.ts';
import { sessionRefused } from '@/base/events.ts';
import { type InSession, part } from '@/base/pageSession.ts';
import { deviceMember } from '@/base/storage.ts';
import { deviceTimeZone } from '@/base/timeZone.ts';
import { startSettingsSync } from '@/domain/storedSettings.ts';
import { repairPushSubscription } from '@/offline/device/push.ts';
import { drain } from '@/offline/outbox/drain.ts';
import { startOutbox } from '@/offline/outbox/outbox.ts';
import { senderOf } from '@/offline/outbox/sender.ts';
import { checkConnection, type HeartwardDb, rereadTables } from '@/offline/store/db.ts';
import { whenIdle } from '@/offline/store/idle.ts';
import { prune } from '@/offline/store/quota.ts';
import { catchUp, stopCatchingUp } from '@/offline/sync/catchUp.ts';
import { fetchChanges, fetchDelta } from '@/offline/sync/sync.ts';
import { applyEvents } from './applyEvents.ts';
import { startLeaderElection } from './leadership.ts';
import { presenceOf } from './presence.ts';
import { socketOf } from './sessionSocket.ts';
import type { SharedSocket } from './sharedSocket.ts';

/** After the socket has given up, the server is probed over HTTP at this interval. */
const PROBE_MS = 20_000;

const requestOnlineUsers = (socket: SharedSocket) => socket.send({ type: 'get_online_users' });
/** What runs for the session of a tab that is live. */
const runningOf = part((session) => {
  const running = { stop: null as (() => void) | null };
  session.onStop(() => running.stop?.());
  return running;
});

/** Starts the outbox, the socket and the sync of the session; a second call does nothing. */
export function goLive(db: HeartwardDb): void {
  const running = runningOf(db);
  if (running.stop || db.session.isStopped) return;
  // Not earlier: a like whose result comes before the app listens for results could not be celebrated.
  senderOf(db).setScalePicture(async (bytes) =>
    (await import('@/domain/profile/scaleForUpload.ts')).scaleForUpload(bytes),
  );
  senderOf(db).setDrain(drain);
  presenceOf(db);
  const stops = [
    handlePageEvents(db),
    startSettingsSync(db, deviceTimeZone()),
    startLeaderElection(db.scope, (role) => (role === 'leader' ? lead(db) : follow(db))),
  ];
  running.stop = () => {
    running.stop = null;
    for (const end of stops) end();
  };
}

/** Stops what `goLive` started, until it is called again. */
export const stopLive = (session: InSession): void => runningOf(session).stop?.();

/** The leader has the socket, syncs and sends the outbox, for all tabs of the member. */
function lead(db: HeartwardDb): () => void {
  const socket = socketOf(db);
  const stops = [
    startOutbox(db, 'leader'),
    applyEvents(socket, db),
    handleOutboxResults(db),
    handleSocketEvents(db),
    socket.lead(db.scope),
    () => stopCatchingUp(db),
  ];
  void whenIdle().then(() => {
    void prune(db)
      // It may have found files that an older version of the app has left unsent.
      .then(() => senderOf(db).kick())
      .catch(() => undefined);
    void repairPushSubscription().catch(() => undefined);
  });
  return () => {
    for (const end of stops) end();
  };
}

/** A follower receives the leader's frames and reads the data it stores. */
function follow(db: HeartwardDb): () => void {
  const socket = socketOf(db);
  const stops = [
    startOutbox(db, 'follower'),
    socket.onStatus(() => socket.status === 'open' && requestOnlineUsers(socket)),
    socket.follow(db.scope),
  ];
  return () => {
    for (const end of stops) end();
  };
}

/**
 * Reacts to the results of the outbox. An acknowledged message may follow messages that are not on the device: they are
 * fetched. A 404 means that the device's copy of the conversation is out of date: it is fetched again.
 */
function handleOutboxResults(db: HeartwardDb): () => void {
  const socket = socketOf(db);
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
  const socket = socketOf(db);
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
    socket.on('sync', () => requestOnlineUsers(socket)),
    socket.onStatus(() => {
      clearInterval(probe);
      if (socket.status === 'gaveUp') probe = setInterval(probeServer, PROBE_MS, socket);
    }),
    // The first frame of a connection. The cookie may be another member's by now, whose data must not be stored here.
    socket.on('identified', ({ userId }) => {
      if (userId !== db.memberId) {
        socket.disconnect();
        sessionRefused.emit();
        return;
      }
      requestOnlineUsers(socket);
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

async function probeServer(socket: SharedSocket): Promise<void> {
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
  const socket = socketOf(db);
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
