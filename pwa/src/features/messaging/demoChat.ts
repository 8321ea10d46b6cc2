/** A simulated conversation: members who do not exist, and a transport that sends nothing. */
import { MESSAGE_DEFAULTS, type MessageRow } from '@/offline/store/rows.ts';

export const DEMO_ME = 'demo-me';

/** The times of the simulation, in ms. */
const CONNECT_MS = 2000;
const DELIVERED_MS = 1000;
const READ_MS = 3000;
const TYPING_MS = 2000;
const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 30_000;
export const MAX_ATTEMPTS = 5;
const MINUTE_MS = 60_000;

export type DemoContact = {
  id: string;
  name: string;
  isOnline: boolean;
  /** ms before the demo was opened; null while online. */
  lastSeenAgo: number | null;
  answer: string;
};

export const demoContacts: DemoContact[] = [
  {
    id: 'demo-maya',
    name: 'Maya',
    isOnline: true,
    lastSeenAgo: null,
    answer: 'That made my day. Tell me more!',
  },
  {
    id: 'demo-leo',
    name: 'Leo',
    isOnline: false,
    lastSeenAgo: 5 * MINUTE_MS,
    answer: 'Just saw this. Coffee on Sunday?',
  },
  {
    id: 'demo-iris',
    name: 'Iris',
    isOnline: false,
    lastSeenAgo: 120 * MINUTE_MS,
    answer: 'I was out hiking. How was your day?',
  },
];

type DemoConnection =
  | { state: 'connecting' | 'connected' }
  /** `attempt` is 0 until the first; after the last one `gaveUp` is true. */
  | { state: 'lost'; attempt: number; gaveUp: boolean };

type DemoStatus = 'sent' | 'delivered' | 'read';

type DemoMessage = { contactId: string; row: MessageRow; status: DemoStatus };

export type DemoState = {
  connection: DemoConnection;
  messages: DemoMessage[];
  /** The ids of the contacts who are writing. */
  typing: string[];
};

/** The simulation. `onChange` is called with each new state. */
export class DemoChat {
  state: DemoState = { connection: { state: 'connecting' }, messages: [], typing: [] };
  readonly #onChange: (state: DemoState) => void;
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();
  #retry: ReturnType<typeof setTimeout> | undefined;
  #lastSeq = 0;

  constructor(onChange: (state: DemoState) => void) {
    this.#onChange = onChange;
  }

  /** Connects after two seconds. */
  connect(): void {
    this.#stopRetry();
    this.#set({ connection: { state: 'connecting' } });
    this.#retry = setTimeout(() => this.#set({ connection: { state: 'connected' } }), CONNECT_MS);
  }

  /** Cuts the connection. The attempts to reconnect fail until `connect` is called. */
  lose(): void {
    this.#stopRetry();
    this.#attempt(0);
  }

  /** Ends all timers. */
  close(): void {
    this.#stopRetry();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  /** Sends a text. Returns false for a blank one, and while not connected. */
  send(contact: DemoContact, text: string): boolean {
    const content = text.trim();
    if (!content || this.state.connection.state !== 'connected') return false;
    const row = this.#add(contact.id, DEMO_ME, content);
    this.#later(DELIVERED_MS, () => this.#mark(row, 'delivered'));
    this.#later(READ_MS, () => {
      this.#mark(row, 'read');
      this.#answer(contact);
    });
    return true;
  }

  #answer({ id, answer }: DemoContact): void {
    this.#set({ typing: [...this.state.typing.filter((one) => one !== id), id] });
    this.#later(TYPING_MS, () => {
      this.#set({ typing: this.state.typing.filter((one) => one !== id) });
      this.#add(id, id, answer);
    });
  }

  #add(contactId: string, senderId: string, content: string): MessageRow {
    this.#lastSeq += 1;
    const id = `demo-${this.#lastSeq}`;
    const row: MessageRow = {
      ...MESSAGE_DEFAULTS,
      id,
      clientId: id,
      conversationId: contactId,
      seq: this.#lastSeq,
      order: this.#lastSeq,
      senderId,
      content,
      messageType: 'text',
      sentAt: new Date().toISOString(),
      readAt: null,
      state: 'stored',
    };
    this.#set({ messages: [...this.state.messages, { contactId, row, status: 'sent' }] });
    return row;
  }

  #mark(row: MessageRow, status: DemoStatus): void {
    this.#set({
      messages: this.state.messages.map((one) => (one.row === row ? { ...one, status } : one)),
    });
  }

  /** Runs `then` after a time, unless the connection is lost at that moment. */
  #later(ms: number, then: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (this.state.connection.state === 'connected') then();
    }, ms);
    this.#timers.add(timer);
  }

  #attempt(attempt: number): void {
    const gaveUp = attempt === MAX_ATTEMPTS;
    this.#set({ connection: { state: 'lost', attempt, gaveUp } });
    if (gaveUp) return;
    const wait = Math.min(FIRST_RETRY_MS * 2 ** attempt, MAX_RETRY_MS);
    this.#retry = setTimeout(() => this.#attempt(attempt + 1), wait);
  }

  #stopRetry(): void {
    clearTimeout(this.#retry);
  }

  #set(change: Partial<DemoState>): void {
    this.state = { ...this.state, ...change };
    this.#onChange(this.state);
  }
}
