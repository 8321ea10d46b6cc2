/** Counts the data that is only on this device and that signing out would delete. */
import { type InSession, Session } from '@/base/pageSession.ts';
import { storageKeys } from '@/base/storage.ts';
import { dbOf } from '../store/db.ts';
import type { OutboxRow } from '../store/rows.ts';

export type Unsent = {
  /** Voice and video messages in the outbox, and recordings that were neither sent nor discarded. */
  recordings: number;
  /** Messages with text or pictures. */
  messages: number;
  /** Photos of the profile. Its recordings count as recordings. */
  photos: number;
  likes: number;
  /** Answers of the Love Pulse. */
  reflections: number;
  /** Comments on posts. */
  comments: number;
  /** Drafts with a text, of messages and of a story. */
  drafts: number;
  /** Passes, reactions, deletions of messages, settings. */
  changes: number;
};

/**
 * Returns the counts of waiting and rejected rows. Receipts, seen matches, read notifications, shown pictures and the time zone, which the app
 * saves by itself, do not count.
 */
export async function findUnsent(owner: InSession): Promise<Unsent> {
  const db = dbOf(owner);
  const unsent: Unsent = {
    recordings: 0,
    messages: 0,
    photos: 0,
    likes: 0,
    reflections: 0,
    comments: 0,
    drafts: 0,
    changes: 0,
  };
  await db.outbox.each((row) => {
    const kind = kindOf(row);
    if (kind) unsent[kind] += 1;
  });
  const recordingIds = new Set<string>();
  await db.chunks.each(({ recordingId }) => recordingIds.add(recordingId));
  unsent.recordings += recordingIds.size;
  unsent.drafts = await db.drafts.filter(({ content }) => content.trim() !== '').count();
  if (localStorage.getItem(storageKeys.storyDraft)) unsent.drafts += 1;
  return unsent;
}

/** Returns the counts of the member whose data is locked on this device, and reads nothing else. */
export async function findLockedUnsent(memberId: string): Promise<Unsent> {
  const session = new Session(memberId);
  try {
    return await findUnsent(session);
  } finally {
    await session.stop();
  }
}

function kindOf({ body }: OutboxRow): keyof Unsent | null {
  switch (body.kind) {
    case 'message':
      return body.messageType === 'audio' || body.messageType === 'video' ? 'recordings' : 'messages';
    case 'profileFile':
      return body.recorded ? 'recordings' : 'photos';
    case 'like':
    case 'postLike':
      return 'likes';
    case 'pulse':
      return 'reflections';
    case 'comment':
      return 'comments';
    case 'receipt':
    case 'seen':
    case 'notificationsRead':
    case 'badge':
    case 'share':
    case 'showPictures':
      return null;
    case 'settings':
      return Object.keys(body.patch).every((name) => name === 'timeZone') ? null : 'changes';
    default:
      return 'changes';
  }
}
