/** The number of unread notifications, for the bell. It runs beside every screen; the list is in `notifications.ts`. */
import { api, unwrap } from '@/api/client.ts';
import type { FrameSource } from '@/live/frameSource.ts';
import type { ServerFrame } from '@/live/frames.ts';
import { NOTIFICATIONS_ROW } from '@/offline/outbox/outbox.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { setMeta } from '@/offline/store/meta.ts';
import { queryClient } from '@/session/query.ts';

/** The key of the list's query. */
export const NOTIFICATIONS_KEY = ['notifications'];

/** Stores the server's count, unless notifications that were read on this device are still to be sent. */
export function storeUnread(db: HeartwardDb, count: number): Promise<void> {
  return db.transaction('rw', db.meta, db.outbox, async () => {
    if (!(await db.outbox.get(NOTIFICATIONS_ROW))) await setMeta(db, 'notifications:unread', count);
  });
}

async function refreshUnread(db: HeartwardDb): Promise<void> {
  await storeUnread(db, (await unwrap(api.GET('/api/notifications/unread'))).unread);
}

/** The frames after which the member may have another number of unread notifications. */
const CAUSES = [
  'like_received',
  'super_like',
  'match',
  'unmatched',
  'date_changed',
  'graduation_changed',
  'review_decided',
  'pulse_changed',
  'badges_changed',
  'moments_changed',
  'notifications_changed',
  'sync',
] as const satisfies ServerFrame['type'][];

/** Several events within this time cause one request. */
const DELAY_MS = 400;

/**
 * Fetches the count, and the list if it is open, after an event that may have changed them. Events are lost while the
 * socket is closed, also between the account's response and the first connection, so they are fetched when it opens.
 * Returns a function that stops it.
 */
export function watchUnread(db: HeartwardDb, socket: FrameSource): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refresh = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      void refreshUnread(db).catch(() => undefined);
      void queryClient.invalidateQueries({ queryKey: ['refresh', ...NOTIFICATIONS_KEY] });
    }, DELAY_MS);
  };
  const stops = [
    ...CAUSES.map((type) => socket.on(type, refresh)),
    // A request to chat; a message in a conversation is no notification.
    socket.on('new_message', async ({ conversationId }) => {
      const conversation = await db.conversations.get(conversationId);
      if (conversation?.request !== 'none') refresh();
    }),
    socket.on('identified', refresh),
  ];
  return () => {
    clearTimeout(timer);
    for (const stop of stops) stop();
  };
}
