/**
 * What other features put into a conversation. Features do not know each other, so the screen takes these as a
 * prop from `src/app`, and whatever is drawn far below finds them here.
 */
import { createContext, type ReactNode, useContext } from 'react';
import type { ConversationRow, MessageRow } from '@/offline/rows.ts';

type About = { conversation: ConversationRow };

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
  /** False keeps the text in the field: the member thought again. */
  beforeSend?: (about: About & { text: string }) => Promise<boolean>;
  /** Around the content of a message of the other member that the server marked. */
  flagged?: (row: MessageRow, children: ReactNode) => ReactNode;
};

const Slots = createContext<ConversationSlots>({});

export const SlotsProvider = Slots.Provider;
export const useSlots = () => useContext(Slots);
