/** The progress of this tab's uploads. Other tabs show them as waiting. */
import { type InSession, part, useSession } from '@/base/pageSession.ts';
import { createEmitter } from '@/base/store.ts';

/**
 * The sent share, from 0 to 1, of each upload by the id of its file, and the uploads that have progressed in their
 * attempt.
 */
export const progressesOf = part(() => {
  const shares = new Map<string, number>();
  const moving = new Set<string>();
  const { emit, subscribe, useValue } = createEmitter();
  return { shares, moving, emit, subscribe, useValue, shareOf: (id: string) => shares.get(id) ?? 0 };
});

/** Begins an attempt, which continues at the share of the last one. */
export function startProgress(owner: InSession, id: string): void {
  progressesOf(owner).moving.delete(id);
}

/** Sets the progress of an upload, from 0 to 1; null removes it. */
export function setProgress(owner: InSession, id: string, share: number | null): void {
  const { shares, moving, emit } = progressesOf(owner);
  if (share === null) {
    shares.delete(id);
    moving.delete(id);
  } else {
    shares.set(id, share);
    moving.add(id);
  }
  emit();
}

type Sized = { id: string; bytes: number };

/** Returns the progress of a message's files in percent; null while none is being uploaded. */
export function progressOf(owner: InSession, files: readonly Sized[]): number | null {
  const { shares, shareOf } = progressesOf(owner);
  if (!files.some(({ id }) => shares.has(id))) return null;
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const sent = files.reduce((sum, { id, bytes }) => sum + bytes * shareOf(id), 0);
  return total > 0 ? Math.round((sent / total) * 100) : 0;
}

export function useUploadProgress(files: readonly Sized[]): number | null {
  const session = useSession();
  return progressesOf(session).useValue(() => progressOf(session, files));
}
