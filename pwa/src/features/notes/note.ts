/** The member's private note about a match: mirrored on the device, and written through the outbox. */
import { api, unwrap } from '@/api/client.ts';
import { MAX_SAVE_MATCH_NOTE_AGE_SECONDS } from '@/api/limits.gen.ts';
import type { MatchNote } from '@/api/types.ts';
import { documentRow, enqueue, recordUnstored } from '@/offline/outbox/outbox.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { getMeta, setMeta } from '@/offline/store/meta.ts';
import type { DocumentEdit } from '@/offline/store/rows.ts';

declare module '@/offline/store/meta.ts' {
  interface Meta {
    /** The note about a member. */
    [note: `note:${string}`]: MatchNote;
  }
}

const pathOf = (memberId: string) => `/api/match-notes/${memberId}`;
const keyOf = (memberId: string) => `note:${memberId}` as const;

/** A note as the screen shows it: an unsent edit in place of the server's. */
export type ShownNote = { content: string; state: 'stored' | 'waiting' };

/** Returns the note that is known on the device; null if nothing is known. */
export async function readNote(db: HeartwardDb, memberId: string): Promise<ShownNote | null> {
  const row = await db.outbox.get(documentRow(pathOf(memberId)));
  if (row?.body.kind === 'document') return { content: String(row.body.body.content), state: 'waiting' };
  const stored = await getMeta(db, keyOf(memberId));
  return stored ? { content: stored.content, state: 'stored' } : null;
}

/** Stores the server's note, unless the response is older than an edit that was sent meanwhile. */
export async function fetchNote(db: HeartwardDb, memberId: string): Promise<void> {
  const note = await unwrap(api.GET('/api/match-notes/{userId}', { params: { path: { userId: memberId } } }));
  await db.transaction('rw', db.meta, async () => {
    const stored = await getMeta(db, keyOf(memberId));
    if ((note.editedAt ?? '') >= (stored?.editedAt ?? '')) await setMeta(db, keyOf(memberId), note);
  });
}

const editOf = (memberId: string, content: string): DocumentEdit => ({
  kind: 'document',
  path: pathOf(memberId),
  key: keyOf(memberId),
  body: { content: content.trim() },
  editedAt: Date.now(),
  maxAgeSeconds: MAX_SAVE_MATCH_NOTE_AGE_SECONDS,
});

/** Has a note that is saved soon stored by the next page if this one is left before. */
export const recordNote = (db: HeartwardDb, memberId: string, content: string) =>
  recordUnstored(db, editOf(memberId, content));

/** Saves a note; an empty text deletes it. */
export async function saveNote(db: HeartwardDb, memberId: string, content: string): Promise<void> {
  await enqueue(db, editOf(memberId, content));
}
