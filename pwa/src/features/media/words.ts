import { SendHorizontal } from 'lucide-react';

/** What a recorder's last button says in a conversation. */
export const SEND = { send: 'Send', sending: 'Sending…', icon: SendHorizontal };
