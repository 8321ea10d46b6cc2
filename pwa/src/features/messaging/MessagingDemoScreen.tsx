import { SendHorizontal } from 'lucide-react';
import { type FormEvent, useEffect, useState } from 'react';
import { MAX_SEND_MESSAGE_CONTENT } from '@/api/limits.gen.ts';
import type { ConversationRow } from '@/offline/store/rows.ts';
import {
  AutoGrowTextarea,
  Avatar,
  Button,
  cn,
  IconButton,
  isComposing,
  RelativeTime,
  Screen,
  toast,
} from '@/ui';
import { Bubble, type MessageActions } from './Bubble.tsx';
import {
  DEMO_ME,
  DemoChat,
  type DemoContact,
  type DemoState,
  demoContacts,
  MAX_ATTEMPTS,
} from './demoChat.ts';
import { TypingDots } from './threadParts.tsx';

const features = [
  { title: 'Instant messaging', text: 'Words arrive as you watch, on all your devices.' },
  { title: 'Honest ticks', text: 'One tick is stored, two are delivered, filled ones are read.' },
  { title: 'Nothing is lost', text: 'What you write offline waits on your device and is sent later.' },
];

/** Shows a conversation with the real bubbles, ticks and typing dots, and people who do not exist. */
export default function MessagingDemoScreen() {
  const [opened] = useState(() => Date.now());
  const [chat, setChat] = useState<DemoChat | null>(null);
  const [state, setState] = useState<DemoState | null>(null);
  const [contact, setContact] = useState<DemoContact | null>(null);
  useEffect(() => {
    const simulation = new DemoChat(setState);
    setChat(simulation);
    simulation.connect();
    return () => simulation.close();
  }, []);
  if (!chat || !state) return null;
  return (
    <Screen title="Messaging demo">
      <p className="max-w-2xl text-lg text-muted">
        Write to people who do not exist. What you write stays on this page: nothing is sent, and it is gone
        when you leave.
      </p>
      <Banner chat={chat} connection={state.connection} />
      <div className="mt-4 grid grid-cols-1 gap-4 md:grid-cols-[18rem_1fr]">
        <ul aria-label="Contacts" className="flex flex-col gap-2">
          {demoContacts.map((one) => (
            <li key={one.id}>
              <ContactButton
                contact={one}
                onPick={() => setContact(one)}
                opened={opened}
                selected={one === contact}
              />
            </li>
          ))}
        </ul>
        <section
          aria-label={contact ? `Conversation with ${contact.name}` : 'Conversation'}
          className="card flex min-h-96 flex-col p-4"
        >
          {contact ? (
            <Pane chat={chat} contact={contact} key={contact.id} state={state} />
          ) : (
            <p className="m-auto text-muted">Select a conversation</p>
          )}
        </section>
      </div>
      <ul className="mt-6 grid gap-4 md:grid-cols-3">
        {features.map(({ title, text }) => (
          <li className="card p-4" key={title}>
            <h2 className="font-display font-semibold text-lg">{title}</h2>
            <p className="mt-1 text-muted">{text}</p>
          </li>
        ))}
      </ul>
    </Screen>
  );
}

function connectionText(connection: DemoState['connection']): string {
  if (connection.state !== 'lost')
    return connection.state === 'connected' ? 'Connected' : 'Connecting... Messages will send once connected';
  if (connection.gaveUp) return 'Not connected.';
  if (connection.attempt === 0) return 'Connection lost. Reconnecting...';
  return `Connection lost. Reconnecting, attempt ${connection.attempt} of ${MAX_ATTEMPTS}...`;
}

function Banner({ chat, connection }: { chat: DemoChat; connection: DemoState['connection'] }) {
  const isLost = connection.state === 'lost';
  return (
    <div
      className={cn(
        'mt-4 flex min-h-14 flex-wrap items-center justify-between gap-x-3 rounded-control px-4 py-1',
        connection.state === 'connected' ? 'bg-sage-soft text-sage' : 'bg-marigold-soft text-marigold-ink',
      )}
    >
      <p role="status">{connectionText(connection)}</p>
      {connection.state !== 'connecting' && (
        <Button onClick={() => (isLost ? chat.connect() : chat.lose())} size="sm" variant="ghost">
          {isLost ? 'Reconnect' : 'Lose the connection'}
        </Button>
      )}
    </div>
  );
}

type ContactButtonProps = { contact: DemoContact; opened: number; selected: boolean; onPick: () => void };

function ContactButton({ contact, opened, selected, onPick }: ContactButtonProps) {
  const { name, isOnline, lastSeenAgo } = contact;
  return (
    <button
      aria-pressed={selected}
      className={cn(
        'flex min-h-16 w-full items-center gap-3 rounded-control border border-line px-3 text-start',
        selected ? 'bg-ember-soft' : 'bg-surface hover:bg-raised',
      )}
      onClick={onPick}
      type="button"
    >
      <Avatar online={isOnline} user={{ firstName: name }} />
      <span>
        <span className="block font-semibold">{name}</span>
        <span className="text-muted text-sm">
          {lastSeenAgo === null ? (
            'Online'
          ) : (
            <>
              Last seen <RelativeTime value={new Date(opened - lastSeenAgo).toISOString()} />
            </>
          )}
        </span>
      </span>
    </button>
  );
}

const explain = () =>
  toast({
    title: 'Only a demo',
    description: 'In a conversation you can answer, react, copy and delete here.',
  });
const actions: MessageActions = {
  openMenu: explain,
  reply: explain,
  react: explain,
  like: explain,
  goTo: explain,
};

/** The row that a bubble needs of the conversation. */
function conversationOf({ id, name, isOnline }: DemoContact, openedAt: string): ConversationRow {
  return {
    id,
    userId: id,
    user: {
      id,
      firstName: name,
      fullName: name,
      age: 30,
      bio: '',
      city: '',
      isVerified: false,
      placeholder: '',
      profileImageUrl: null,
    },
    matchId: null,
    request: 'none',
    isFormer: false,
    isOnline,
    picturesShown: true,
    lastMessage: null,
    lastSeenAt: null,
    lastSeq: 0,
    lastRev: 0,
    readSeq: 0,
    deliveredSeq: 0,
    peerReadSeq: null,
    peerDeliveredSeq: 0,
    unreadCount: 0,
    messageSparkAt: null,
    voiceConnectionAt: null,
    mutedUntil: null,
    pinnedAt: null,
    archivedSeq: null,
    turnEndedSeq: null,
    createdAt: openedAt,
    sortAt: openedAt,
  } as ConversationRow;
}

type PaneProps = { chat: DemoChat; contact: DemoContact; state: DemoState };

function Pane({ chat, contact, state }: PaneProps) {
  const [text, setText] = useState('');
  const [conversation] = useState(() => conversationOf(contact, new Date().toISOString()));
  const messages = state.messages.filter(({ contactId }) => contactId === contact.id);
  const isConnected = state.connection.state === 'connected';

  function submit(event: FormEvent) {
    event.preventDefault();
    if (chat.send(contact, text)) setText('');
  }

  return (
    <>
      <h2 className="border-line border-b pb-3 font-display font-semibold text-xl">{contact.name}</h2>
      <div className="flex flex-1 flex-col justify-end py-3" role="log">
        {messages.map(({ row, status }) => (
          <Bubble
            actions={actions}
            author={contact.name}
            conversation={conversation}
            first
            highlighted={false}
            key={row.clientId}
            last
            mine={row.senderId === DEMO_ME}
            row={row}
            tick={row.senderId === DEMO_ME ? status : null}
          />
        ))}
        <TypingDots isTyping={state.typing.includes(contact.id)} name={contact.name} />
      </div>
      <form className="flex items-end gap-2" onSubmit={submit}>
        <AutoGrowTextarea
          aria-label={`Message to ${contact.name}`}
          className="max-h-36 min-h-11 min-w-0 flex-1 resize-none rounded-card border border-control bg-paper px-4 py-2.5 text-base text-ink focus-visible:-outline-offset-2"
          disabled={!isConnected}
          maxLength={MAX_SEND_MESSAGE_CONTENT}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.shiftKey && !isComposing(event)) submit(event);
          }}
          placeholder="Write a message"
          rows={1}
          value={text}
        />
        <IconButton
          disabled={!isConnected || !text.trim()}
          icon={SendHorizontal}
          label="Send message"
          type="submit"
        />
      </form>
    </>
  );
}
