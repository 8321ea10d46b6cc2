/** Notifications, in the page: closes those whose messages were read, and opens the path of a tapped one. */

import { liveQuery } from 'dexie';
import { draftChanged } from '@/base/events.ts';
import type { HeartwardDb } from '../store/db.ts';
import { deleteMeta, getMeta } from '../store/meta.ts';
import type { MemberData } from '../store/purge.ts';
import { deleteReply, readReply } from './notificationReply.ts';
import { closeNotifications } from './shownNotifications.ts';

/** The path of a tapped notification is opened within this time. A later start of the app has another cause. */
const PENDING_MS = 60_000;

/** The seq up to which each conversation was read, by its id. */
type ReadPositions = Map<string, number>;

async function loadReadPositions(db: HeartwardDb): Promise<ReadPositions> {
  return new Map((await db.conversations.toArray()).map(({ id, readSeq }) => [id, readSeq]));
}

/** Closes the notifications of messages that were read, here or on another device. */
async function closeReadNotifications(positions: ReadPositions): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  if (!registration) return;
  // A conversation that is not on the device yet counts as unread.
  await closeNotifications(registration, ({ id, seq }) => (positions.get(id) ?? 0) >= seq);
}

/**
 * Closes the notifications of read messages at the start, when more is read, and when the app comes to the front. Returns
 * a function that stops it. It does nothing when a message arrives, because its notification
 * is being shown then (see closeNotifications).
 */
export function watchReadMessages(db: HeartwardDb): () => void {
  let positions: ReadPositions = new Map();
  let isFirst = true;
  const close = () => void closeReadNotifications(positions).catch(() => undefined);
  const subscription = liveQuery(() => loadReadPositions(db)).subscribe({
    next: (next) => {
      const before = positions;
      positions = next;
      const hasRead = [...next].some(([id, seq]) => seq > (before.get(id) ?? 0));
      if (isFirst || hasRead) close();
      isFirst = false;
    },
    // A closed database ends the session too.
    error: () => undefined,
  });
  const onVisibility = () => {
    if (document.visibilityState === 'visible') close();
  };
  document.addEventListener('visibilitychange', onVisibility);
  return () => {
    subscription.unsubscribe();
    document.removeEventListener('visibilitychange', onVisibility);
  };
}

/** Returns and removes the path of a notification tapped within PENDING_MS; null if there is none. */
export function popPendingPath(db: HeartwardDb, now = Date.now()): Promise<string | null> {
  return db.transaction('rw', db.meta, async () => {
    const value = await getMeta(db, 'push:navigate');
    if (!value) return null;
    await deleteMeta(db, 'push:navigate');
    const age = now - value.at;
    return age >= 0 && age < PENDING_MS ? value.path : null;
  });
}

/** The path of a tapped notification about the member. */
export const pendingPathData: MemberData = {
  remove: async (db, { userId, conversationIds }) => {
    const path = (await getMeta(db, 'push:navigate'))?.path ?? '';
    if ([userId, ...conversationIds].some((id) => path.includes(id))) await deleteMeta(db, 'push:navigate');
  },
};

/** Turns a reply that was typed in a notification while the database could not be opened into a draft. */
export async function restoreReply(db: HeartwardDb): Promise<void> {
  const reply = await readReply(db.memberId);
  if (!reply) return;
  const { conversationId, text } = reply;
  await db.transaction('rw', db.drafts, async () => {
    const draft = await db.drafts.get(conversationId);
    const content = draft?.content ? `${draft.content}\n${text}` : text;
    await db.drafts.put({ ...draft, conversationId, content, updatedAt: Date.now() });
  });
  await deleteReply();
  // The composer may already have read its draft.
  draftChanged.emit();
}

/**
 * Restores a reply typed in a notification as a draft, and opens the path of a notification that was tapped before this
 * page could receive the worker's message. A page that receives the message opens the path itself, so the stored one is
 * removed.
 */
export function resumeFromNotification(db: HeartwardDb, navigate: (path: string) => void): () => void {
  const onMessage = ({ data }: MessageEvent) => {
    if (data?.type === 'NAVIGATE') void popPendingPath(db).catch(() => undefined);
  };
  navigator.serviceWorker?.addEventListener('message', onMessage);
  void restoreReply(db).catch(() => undefined);
  popPendingPath(db).then(
    (path) => path && path !== location.pathname + location.search && navigate(path),
    () => undefined,
  );
  return () => navigator.serviceWorker?.removeEventListener('message', onMessage);
}
