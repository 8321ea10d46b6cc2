/** A text to a member that is being written, in a conversation or without one. */
export type DraftText = { userId: string; text: string };

/** Checks texts to a member before they are sent. */
export type TextFilter = {
  /** Called with each change of the text, so that the check is done before it is sent. */
  onInput: (draft: DraftText) => void;
  /** Asks the writer if necessary; resolves with whether to send the text. */
  confirmSend: (draft: DraftText) => Promise<boolean>;
};
