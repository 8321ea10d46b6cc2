/** The progress of this tab's uploads. Other tabs show the message as waiting. */
import { useSyncExternalStore } from 'react';

const shares = new Map<string, number>();
const watchers = new Set<() => void>();

/** A share of 1, or null when the file no longer travels. */
export function setProgress(localId: string, share: number | null): void {
  if (share === null) shares.delete(localId);
  else shares.set(localId, share);
  for (const watcher of watchers) watcher();
}

const subscribe = (watcher: () => void) => {
  watchers.add(watcher);
  return () => {
    watchers.delete(watcher);
  };
};

type Sized = { id: string; bytes: number };

/** The share of a message's files that is at the server, in hundredths; null while none of them travels. */
export function progressOf(files: readonly Sized[]): number | null {
  if (!files.some(({ id }) => shares.has(id))) return null;
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const sent = files.reduce((sum, { id, bytes }) => sum + bytes * (shares.get(id) ?? 0), 0);
  return total > 0 ? Math.round((sent / total) * 100) : 0;
}

export function useUploadProgress(files: readonly Sized[]): number | null {
  return useSyncExternalStore(subscribe, () => progressOf(files));
}
