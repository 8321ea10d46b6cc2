/** The labels of a recorder's send button in the profile. */
export const SAVE_LABELS = { send: 'Save', sending: 'Saving…' };
