/**
 * What other features put into a conversation. Features do not know each other, so the screen takes these as a
 * prop from `src/app`, and whatever is drawn far below finds them here.
 */
import { createContext, type ReactNode, useContext, useRef } from 'react';
import type { ConversationRow, MessageRow } from '@/offline/store/rows.ts';

/** The message that is answered, for what is sent past the text field: `sent` ends it, as sending words does. */
export type Answering = { seq: () => number | null; sent: () => void };

type About = { conversation: ConversationRow; answering: Answering };
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
  /** Has words to a member, who may not be written with yet, looked at before they go. */
  filter?: {
    /** The words as they stand while they are written, so that sending them need not wait. */
    writing: (words: Words) => void;
    /** False keeps them in the field: the writer thought again. */
    mayGo: (words: Words) => Promise<boolean>;
  };
  /** Around the content of a message of the other member that the server marked. */
  flagged?: (row: MessageRow, children: ReactNode) => ReactNode;
};

const Slots = createContext<ConversationSlots>({});

export const SlotsProvider = Slots.Provider;
export const useSlots = () => useContext(Slots);

/**
 * `mayGo` asks whether the words, as they are written now, may go; whoever is asked about them is not asked twice at
 * once. `wrote` is told of each change by hand: a draft that is only shown again is nobody's business.
 */
export function useFilter({ userId, text }: Words) {
  const { filter } = useSlots();
  const asking = useRef(false);
  const wrote = (next: string) => filter?.writing({ userId, text: next.trim() });
  const mayGo = async (): Promise<boolean> => {
    if (!filter || !text) return true;
    if (asking.current) return false;
    asking.current = true;
    return filter.mayGo({ userId, text }).finally(() => {
      asking.current = false;
    });
  };
  return { mayGo, wrote };
}
