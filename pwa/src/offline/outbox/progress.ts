/** The progress of this tab's uploads. Other tabs show the message as waiting. */
import { createEmitter } from '@/base/store.ts';

const shares = new Map<string, number>();
const changes = createEmitter();

/** Sets the progress of an upload, from 0 to 1; null removes it. */
export function setProgress(localId: string, share: number | null): void {
  if (share === null) shares.delete(localId);
  else shares.set(localId, share);
  changes.emit();
}

type Sized = { id: string; bytes: number };

/** Returns the progress of a message's files in percent; null while none is being uploaded. */
export function progressOf(files: readonly Sized[]): number | null {
  if (!files.some(({ id }) => shares.has(id))) return null;
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const sent = files.reduce((sum, { id, bytes }) => sum + bytes * (shares.get(id) ?? 0), 0);
  return total > 0 ? Math.round((sent / total) * 100) : 0;
}

export function useUploadProgress(files: readonly Sized[]): number | null {
  return changes.useValue(() => progressOf(files));
}
