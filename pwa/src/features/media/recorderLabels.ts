import { SendHorizontal } from 'lucide-react';

/** The labels of a recorder's send button in a conversation. */
export const SEND_LABELS = { send: 'Send', sending: 'Sending…', icon: SendHorizontal };
