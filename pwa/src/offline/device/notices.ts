/** The page's side of notifications: those that were read go away, and a tapped one leads somewhere. */

import type { HeartwardDb } from '../store/db.ts';
import { deleteMeta, getMeta } from '../store/meta.ts';
import type { MemberData } from '../store/purge.ts';
import { dropAnswer, readAnswer } from './answer.ts';

/** An app that takes longer than this to start was opened for something else. */
const PENDING_MS = 60_000;

/** How far each conversation was read here. */
export type ReadPositions = Map<string, number>;

export async function readPositions(db: HeartwardDb): Promise<ReadPositions> {
  return new Map((await db.conversations.toArray()).map(({ id, readSeq }) => [id, readSeq]));
}

/** Closes what tells of messages that were read, here or on another device. */
export async function closeRead(places: ReadPositions): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  for (const notification of (await registration?.getNotifications?.()) ?? []) {
    const told = notification.data?.conversation as { id: string; seq: number } | undefined;
    // A conversation not on the device yet is newer than what it knows.
    if (told && (places.get(told.id) ?? 0) >= told.seq) notification.close();
  }
}

/** Where a notification that was tapped a moment ago leads; answers once, null when there is nothing to follow. */
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

/** Makes a draft of a text that was typed in a notification while the database could not be opened. */
export async function restoreAnswer(db: HeartwardDb): Promise<void> {
  const answer = await readAnswer(db.memberId);
  if (!answer) return;
  const { conversationId, text } = answer;
  await db.transaction('rw', db.drafts, async () => {
    const draft = await db.drafts.get(conversationId);
    const content = draft?.content ? `${draft.content}\n${text}` : text;
    await db.drafts.put({ ...draft, conversationId, content, updatedAt: Date.now() });
  });
  await dropAnswer();
  // The composer may have read its draft before.
  dispatchEvent(new Event('hw:draft'));
}

/**
 * Opens the path of a notification that was tapped before this page could receive the worker's message. A page
 * that receives the message opens the path itself, so the stored one is removed.
 */
export function followPendingPath(db: HeartwardDb, navigate: (path: string) => void): () => void {
  const onMessage = ({ data }: MessageEvent) => {
    if (data?.type === 'NAVIGATE') void popPendingPath(db).catch(() => undefined);
  };
  navigator.serviceWorker?.addEventListener('message', onMessage);
  void restoreAnswer(db).catch(() => undefined);
  popPendingPath(db).then(
    (path) => path && path !== location.pathname + location.search && navigate(path),
    () => undefined,
  );
  return () => navigator.serviceWorker?.removeEventListener('message', onMessage);
}
