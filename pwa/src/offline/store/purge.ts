/**
 * When two members part (a block, a report, an unmatch, here or by the other side), nothing of the other may stay
 * on this device: not in a list, not in a conversation, not as a photo kept for reading offline.
 */
import type { HeartwardDb } from './db.ts';
import { deleteCachedFiles } from './fileCaches.ts';
import { getMeta, setMeta } from './meta.ts';
import type { OutboxRow } from './rows.ts';

/** Members forgotten in this tab, with the moment. */
const forgotten = new Map<string, number>();

/** Whether an answer that was asked for at `since` may still hold a member who has been forgotten since. */
export const forgottenSince = (userId: string, since: number) => (forgotten.get(userId) ?? 0) >= since;

/**
 * Removes all that this device holds of a member, what still waits to be sent to them included. Resolves with
 * how many messages had not been sent.
 */
export async function forgetMember(db: HeartwardDb, userId: string): Promise<number> {
  forgotten.set(userId, Date.now());
  const photos = await photosOf(db, userId);
  const unsent = await db.transaction('rw', db.tables, async () => {
    await db.feed.bulkDelete([
      ['forYou', userId],
      ['discover', userId],
    ]);
    await db.profiles.delete(userId);
    await db.drafts.delete(userId);
    await db.passes.delete(userId);
    await db.likes.filter(({ user }) => user.id === userId).delete();
    await db.matches.filter(({ user }) => user.id === userId).delete();
    await forgetUndo(db, userId);
    await forgetActivity(db, userId);
    const conversations = await db.conversations.where('userId').equals(userId).primaryKeys();
    for (const id of conversations) await forgetThread(db, id);
    const waiting = await db.outbox.filter((row) => isTo(row, userId, conversations)).toArray();
    await db.outbox.bulkDelete(waiting.map(({ clientId }) => clientId));
    return waiting.filter(({ kind }) => kind === 'message').length;
  });
  await deleteCachedFiles(photos);
  return unsent;
}

/** The other side ended it: the same, and what the member had written to them is not dropped without a word. */
export async function partedFrom(db: HeartwardDb, userId: string): Promise<void> {
  if ((await forgetMember(db, userId)) > 0) await setMeta(db, 'undelivered', true);
}

/** The deck remembers whoever was passed on last, with their card, so that the pass can be undone. */
async function forgetUndo(db: HeartwardDb, userId: string): Promise<void> {
  const kept = await getMeta(db, 'passes');
  if (kept.length === 0) return;
  await setMeta(
    db,
    'passes',
    kept.filter(({ id }) => id !== userId),
  );
}

/** What the member did stays, but not with whom: the server tells the rest without the name. */
async function forgetActivity(db: HeartwardDb, userId: string): Promise<void> {
  const kept = await getMeta(db, 'activity');
  if (!kept) return;
  const items = kept.items.filter(({ user }) => user?.id !== userId);
  await setMeta(db, 'activity', { ...kept, items });
}

async function forgetThread(db: HeartwardDb, conversationId: string): Promise<void> {
  await db.messages
    .where('[conversationId+order]')
    .between([conversationId, 0], [conversationId, Number.MAX_VALUE])
    .delete();
  for (const table of [db.blobs, db.chunks, db.dates])
    await table.where('conversationId').equals(conversationId).delete();
  await db.threads.delete(conversationId);
  await db.drafts.delete(conversationId);
  await db.conversations.delete(conversationId);
}

function isTo({ body, conversationId }: OutboxRow, userId: string, conversations: string[]): boolean {
  if (body.kind === 'like') return body.toUserId === userId;
  if (body.kind === 'pass' || body.kind === 'unpass') return body.targetUserId === userId;
  return conversationId !== null && conversations.includes(conversationId);
}

/**
 * Every picture of theirs that a list, a profile or a message on this device names: photos, gallery, banner, stills
 * of videos; and those that they were sent.
 */
async function photosOf(db: HeartwardDb, userId: string): Promise<string[]> {
  const theirs = ({ user }: { user: { id: string } | null }) => user?.id === userId;
  const matches = await db.matches.filter(theirs).toArray();
  const conversations = await db.conversations.where('userId').equals(userId).toArray();
  const talks = conversations.map(({ id }) => id);
  const holders = [
    await db.profiles.get(userId),
    await db.feed.filter(({ id }) => id === userId).toArray(),
    await db.passes.get(userId),
    // Their like may name a photo of the member's own, which stays.
    matches.map(({ user, myLike }) => [user, myLike]),
    (await db.likes.filter(theirs).toArray()).map(({ user }) => user),
    conversations.map(({ user }) => user),
    (await db.messages.filter(({ conversationId }) => talks.includes(conversationId)).toArray()).map(
      ({ attachments }) => attachments,
    ),
    (await getMeta(db, 'passes')).filter(({ id }) => id === userId),
    (await getMeta(db, 'activity'))?.items.filter(theirs),
  ];
  return [...new Set(JSON.stringify(holders).match(/\/files\/[^"]+/g))];
}
