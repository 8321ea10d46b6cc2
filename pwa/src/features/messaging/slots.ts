/**
 * What other features draw in a conversation. Features do not import each other, so the screen gets these slots as a
 * prop from `src/app` and provides them to its components by a context.
 */
import { createContext, type ReactNode, useContext, useRef } from 'react';
import type { DraftText, TextFilter } from '@/domain/textFilter.ts';
import type { ConversationRow, MessageRow } from '@/offline/store/rows.ts';

/** The message that a recording or pictures reply to. `sent` must be called after sending; it ends the reply. */
export type ReplyTarget = { seq: () => number | null; sent: () => void };

type ComposerContext = { conversation: ConversationRow; replyTarget: ReplyTarget };
export type AttachmentsContext = { mine: boolean; author: string; picturesShown: boolean };

export type ConversationSlots = {
  /** Above the first message: the likes of the match, or the profile of a request's sender. */
  opening?: ReactNode;
  /** A suggestion for the first message of a conversation without messages. */
  suggestion?: (conversation: ConversationRow) => ReactNode;
  /** The content of a message about a date: the date's card in the newest one, `text` in earlier ones. */
  dateCard?: (row: MessageRow & { dateId: string }, text: ReactNode) => ReactNode;
  /** Buttons beside the text field. */
  composerActions?: (about: ComposerContext) => ReactNode;
  /** Above the text field: recordings and shared pictures that the member can send or discard. */
  composerNotice?: (about: ComposerContext) => ReactNode;
  /** Shown in place of the text field while media are recorded or previewed. */
  composerReplacement?: ReactNode;
  /** The pictures and recordings of a message, inside its bubble. */
  attachments?: (row: MessageRow, about: AttachmentsContext) => ReactNode;
  filter?: TextFilter;
  /** Wraps the content of a received message that the server has flagged. */
  flagged?: (row: MessageRow, children: ReactNode) => ReactNode;
};

const Slots = createContext<ConversationSlots>({});

export const SlotsProvider = Slots.Provider;
export const useSlots = () => useContext(Slots);

/**
 * `confirmSend` asks whether the current text may be sent; while it asks, further calls resolve to false. `textChanged`
 * must be called for changes by the member, and not when a draft is shown.
 */
export function useMessageFilter({ userId, text }: DraftText) {
  const { filter } = useSlots();
  const pending = useRef(false);
  const textChanged = (next: string) => filter?.onInput({ userId, text: next.trim() });
  const confirmSend = async (): Promise<boolean> => {
    if (!filter || !text) return true;
    if (pending.current) return false;
    pending.current = true;
    return filter.confirmSend({ userId, text }).finally(() => {
      pending.current = false;
    });
  };
  return { confirmSend, textChanged };
}
