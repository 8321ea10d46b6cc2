import type { PulseMood } from '@/api/types.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { readMemberDraft, storeMemberDraft } from '@/session/memberDraft.ts';

export type Answer = { mood: PulseMood | null; reflection: string };
type Draft = Answer & { date: string };

/** Returns what the member has written for a day and not saved; null if that is nothing. */
export function readPulseDraft(db: HeartwardDb, date: string): Answer | null {
  const draft = readMemberDraft<Draft>(db, 'pulse');
  return draft?.date === date ? draft : null;
}

/** Stores it with every letter. One day has a draft at a time. */
export function storePulseDraft(db: HeartwardDb, draft: Draft): void {
  storeMemberDraft(db, 'pulse', draft);
}

/** Removes the draft of a day. Nothing happens if another day has one. */
export function removePulseDraft(db: HeartwardDb, date: string): void {
  if (readPulseDraft(db, date)) storeMemberDraft(db, 'pulse', undefined);
}
