import { createContext, useContext } from 'react';
import type { Path } from '@/session/paths.ts';

/** The entry of the queue that is open. */
type OpenEntry = {
  /** The address of the entry after it; undefined after the last one. */
  next: Path | undefined;
  /** What the server says the moderator may decide; undefined for an entry that is not in the list. */
  actions: readonly string[] | undefined;
  /** To be called after its decision. */
  onDecided: () => void;
};

/** Undefined outside the queue: in the lists of one kind. */
export const QueueContext = createContext<OpenEntry | undefined>(undefined);

export const useOpenEntry = () => useContext(QueueContext);

/** Returns whether the server lists an action among those of the open entry, true if it has said nothing. */
export function useIsAllowed(): (action: string) => boolean {
  const actions = useOpenEntry()?.actions;
  return (action) => actions?.includes(action) ?? true;
}
