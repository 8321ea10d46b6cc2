/**
 * What other features put into a conversation. Features do not know each other, so the screen takes these as a
 * prop from `src/app`, and whatever is drawn far below finds them here.
 */
import { createContext, type ReactNode, useContext, useRef } from 'react';
import type { ConversationRow, MessageRow } from '@/offline/rows.ts';

type About = { conversation: ConversationRow };
type Words = { userId: string; text: string };

export type ConversationSlots = {
  /** What a message about a date shows: the date itself in the newest one, the words in those before. */
  dateCard?: (row: MessageRow & { dateId: string }, words: ReactNode) => ReactNode;
  /** Buttons beside the text field. */
  composerActions?: (about: About) => ReactNode;
  /** Above the text field: what waits for a decision of the member. */
  composerNotice?: (about: About) => ReactNode;
  /** Stands in place of the text field while something is recorded or looked at before it is sent. */
  composerTakeover?: ReactNode;
  /** The pictures and recordings of a message, inside its bubble. */
  attachments?: (row: MessageRow, about: { mine: boolean; author: string }) => ReactNode;
  /** Words to a member, who may not be written with yet. False keeps them in the field: the writer thought again. */
  beforeSend?: (words: Words) => Promise<boolean>;
  /** Around the content of a message of the other member that the server marked. */
  flagged?: (row: MessageRow, children: ReactNode) => ReactNode;
};

const Slots = createContext<ConversationSlots>({});

export const SlotsProvider = Slots.Provider;
export const useSlots = () => useContext(Slots);

/** Whether words may go. Whoever is asked about them is not asked twice at once. */
export function useMayGo(): (words: Words) => Promise<boolean> {
  const { beforeSend } = useSlots();
  const asking = useRef(false);
  return async (words) => {
    if (!beforeSend || !words.text) return true;
    if (asking.current) return false;
    asking.current = true;
    return beforeSend(words).finally(() => {
      asking.current = false;
    });
  };
}
