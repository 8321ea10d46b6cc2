import { Ban } from 'lucide-react';
import { memo } from 'react';
import { formatTime } from '@/base/format.ts';
import { discard, retry } from '@/offline/outbox/rejectedRows.ts';
import { useDb } from '@/offline/store/cached.ts';
import type { ConversationRow, MessageRow } from '@/offline/store/rows.ts';
import { Button, cn, cutText } from '@/ui';
import { DELETED, describeRow, isKnownType, UNKNOWN } from './describeMessage.ts';
import { MessageText } from './MessageText.tsx';
import { Quote } from './Quote.tsx';
import { StrokeIcon } from './StrokeIcon.tsx';
import { useSlots } from './slots.ts';
import { Ticks } from './Ticks.tsx';
import type { Tick } from './thread.ts';
import { hasOwnGestures, useTouchGestures } from './useTouchGestures.ts';

/** The actions on a message. The functions do not change while the conversation is open. */
export type MessageActions = {
  openMenu: (row: MessageRow) => void;
  reply: (row: MessageRow) => void;
  react: (row: MessageRow, emoji: string) => void;
  /** Reacts with a heart, which a second call does not take back. */
  like: (row: MessageRow) => void;
  goTo: (seq: number) => void;
};

type BubbleProps = {
  row: MessageRow;
  conversation: ConversationRow;
  mine: boolean;
  /** First and last of a run of bubbles by one member. */
  first: boolean;
  last: boolean;
  tick: Tick | null;
  author: string;
  /** The quoted message, if it is among the rows shown. */
  quoted?: MessageRow;
  /** The thread has just scrolled to this message. */
  highlighted: boolean;
  actions: MessageActions;
};

/**
 * Compares props by content, because every change of the table yields new row objects. Identical objects, as while
 * scrolling, are compared first.
 */
function rendersSame(a: BubbleProps, b: BubbleProps): boolean {
  if (a.actions !== b.actions) return false;
  const keys = Object.keys(b) as (keyof BubbleProps)[];
  return keys.every((key) => Object.is(a[key], b[key])) || renderKey(a) === renderKey(b);
}

function renderKey({ conversation, actions: _, ...rest }: BubbleProps): string {
  const { id, request, user, picturesShown } = conversation;
  return JSON.stringify([rest, id, request, user.firstName, picturesShown]);
}

/** The bubble of one message, with its quote, reactions and menu button. */
export const Bubble = memo(function Bubble(props: BubbleProps) {
  const { row, conversation, mine, first, tick, author, highlighted, actions } = props;
  const canReply =
    conversation.request === 'none' && !conversation.isFormer && row.seq !== null && !row.deletedAt;
  const gestures = useTouchGestures({
    onLongPress: () => !row.deletedAt && actions.openMenu(row),
    onReply: canReply ? () => actions.reply(row) : null,
    onDoubleTap: canReply ? () => actions.like(row) : null,
  });
  const reactions = reactionsOf(row);
  return (
    <div
      className={cn(
        'group flex flex-wrap items-center gap-x-0.5 transition-colors duration-500',
        mine && 'flex-row-reverse',
        first ? 'pt-3' : 'pt-0.5',
        reactions.length > 0 && 'pb-6',
        highlighted && 'rounded-card bg-marigold-soft',
      )}
      data-client-id={row.clientId}
      data-seq={row.seq ?? undefined}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button beside it does the same for the keyboard */}
      <div
        className={cn(bubbleClasses(props), reactions.length > 0 && 'relative')}
        onContextMenu={(event) => {
          if (row.deletedAt || hasOwnMenu(event.target)) return;
          event.preventDefault();
          actions.openMenu(row);
        }}
        {...gestures}
      >
        <span className="sr-only">{mine ? 'You' : author}: </span>
        {row.replyTo !== null && !row.deletedAt && <RepliedTo {...props} seq={row.replyTo} />}
        <Content {...props} />
        <SentAt mine={mine} row={row} tick={tick} />
        {reactions.length > 0 && (
          <Reactions
            mine={mine}
            onPress={(emoji) => actions.react(row, emoji)}
            reactions={reactions}
            row={row}
          />
        )}
      </div>
      {!row.deletedAt && <MenuButton onClick={() => actions.openMenu(row)} row={row} />}
      {tick === 'failed' && <FailedActions clientId={row.clientId} reason={row.reason} />}
    </div>
  );
}, rendersSame);

/** Whether the browser shows a menu for what is under the pointer: a link, selected text or a control. */
const hasOwnMenu = (target: EventTarget): boolean =>
  target instanceof HTMLAnchorElement || hasOwnGestures(target) || Boolean(getSelection()?.toString());

/** The message that this one replies to. A press goes to it. */
function RepliedTo({ row, mine, author, quoted, actions, seq }: BubbleProps & { seq: number }) {
  return (
    <Quote
      author={author}
      className={cn(
        'mb-1 min-h-11',
        mine ? 'border-current bg-on-ember/15' : 'border-ember bg-raised text-ink',
      )}
      conversationId={row.conversationId}
      row={quoted}
      onClick={() => actions.goTo(seq)}
      seq={seq}
    />
  );
}

/** When the message was sent, and whether it is stored, delivered or read. */
function SentAt({ row, mine, tick }: Pick<BubbleProps, 'row' | 'mine' | 'tick'>) {
  return (
    <span
      className={cn(
        'float-end mt-1.5 ms-3 inline-flex select-none items-center gap-1 text-xs leading-4',
        (!mine || row.deletedAt || !isKnownType(row.messageType)) && 'text-muted',
      )}
    >
      <time dateTime={row.sentAt}>{formatTime(row.sentAt)}</time>
      {tick && !row.deletedAt && <Ticks tick={tick} />}
    </span>
  );
}

/** Opens the menu by mouse and keyboard; it appears beside the bubble under the pointer, or with the focus. */
const MenuButton = ({ row, onClick }: { row: MessageRow; onClick: () => void }) => (
  <button
    aria-haspopup="dialog"
    aria-label={`Options for “${cutText(describeRow(row), 60)}”`}
    className="grid size-11 shrink-0 place-items-center rounded-full text-transparent hover:bg-raised focus-visible:text-muted group-hover:text-muted pointer-coarse:pointer-events-none"
    onClick={onClick}
    type="button"
  >
    <StrokeIcon className="size-5" path="M5 12h.01M12 12h.01M19 12h.01" width={2.5} />
  </button>
);

/** The content of a bubble: its text, and the pictures, recordings and dates that other features draw. */
function Content({ row, mine, author, conversation: { picturesShown } }: BubbleProps) {
  const slots = useSlots();
  if (row.deletedAt) {
    return (
      <span className="inline-flex items-center gap-1.5 text-muted italic" data-testid="bubble-text">
        <Ban aria-hidden="true" className="size-4 shrink-0" />
        {DELETED}
      </span>
    );
  }
  if (!isKnownType(row.messageType)) {
    return (
      <span className="text-muted italic" data-testid="bubble-text">
        {UNKNOWN}
      </span>
    );
  }
  const text = row.content && <MessageText text={row.content} />;
  const { dateId } = row;
  const content = (
    <>
      {row.attachments.length > 0 && slots.attachments?.(row, { mine, author, picturesShown })}
      {dateId && slots.dateCard ? slots.dateCard({ ...row, dateId }, text) : text}
    </>
  );
  return !mine && row.flag && slots.flagged ? slots.flagged(row, content) : content;
}

/** Returns the classes of the bubble; the corner of the last one of a run points to its author. */
const bubbleClasses = ({ row, mine, last, tick }: BubbleProps): string =>
  cn(
    'max-w-[82%] rounded-card px-3.5 py-2 transition-transform data-pulled:transition-none md:max-w-[70%] pointer-coarse:select-none',
    'whitespace-pre-wrap [overflow-wrap:anywhere] [unicode-bidi:plaintext]',
    colours(mine, tick, row.deletedAt !== null || !isKnownType(row.messageType)),
    row.dateId !== null && DATE_CARD,
    last && (mine ? 'rounded-ee-[6px]' : 'rounded-es-[6px]'),
  );

/** Returns the classes of the bubble's colours; `neutral` ones do not depend on the sender. */
function colours(mine: boolean, tick: Tick | null, neutral: boolean): string {
  if (neutral) return 'border border-line border-dashed bg-paper text-muted';
  if (tick === 'failed') return 'border border-danger bg-danger-soft text-ink';
  return mine ? 'bg-ember text-on-ember' : 'border border-line bg-surface text-ink';
}

/** The newest message about a date contains its card and has neutral colours. */
const DATE_CARD =
  'has-data-card:w-full has-data-card:border has-data-card:border-line has-data-card:bg-surface has-data-card:text-muted';

type Reaction = { emoji: string; count: number };

/** Returns the reactions of both members (`senderReaction` is that of the message's author), equal ones counted. */
function reactionsOf(row: MessageRow): Reaction[] {
  const emojis = [row.senderReaction, row.receiverReaction].filter((emoji) => emoji !== null);
  return [...new Set(emojis)].map((emoji) => ({
    emoji,
    count: emojis.filter((other) => other === emoji).length,
  }));
}

type ReactionsProps = {
  row: MessageRow;
  mine: boolean;
  reactions: Reaction[];
  onPress: (emoji: string) => void;
};

/** The reactions on the bubble's edge. A tap removes the member's own or adds the same. */
function Reactions({ row, mine, reactions, onPress }: ReactionsProps) {
  const ownReaction = mine ? row.senderReaction : row.receiverReaction;
  return (
    <span className={cn('absolute -bottom-7 z-1 flex', mine ? 'inset-e-2' : 'inset-s-2')}>
      {reactions.map(({ emoji, count }) => (
        <button
          aria-label={`${emoji}${count > 1 ? ', from both of you' : ''}. ${emoji === ownReaction ? 'Take my reaction back' : 'Add the same reaction'}`}
          aria-pressed={emoji === ownReaction}
          className="-mx-1 grid h-11 min-w-11 place-items-center"
          key={emoji}
          onClick={() => onPress(emoji)}
          type="button"
        >
          <span
            className={cn(
              'inline-flex h-6.5 items-center gap-1 rounded-full border bg-surface px-1.5 text-ink text-sm leading-none',
              emoji === ownReaction ? 'border-ember' : 'border-line',
            )}
          >
            {emoji}
            {count > 1 && <span className="text-muted text-xs">{count}</span>}
          </span>
        </button>
      ))}
    </span>
  );
}

function FailedActions({ clientId, reason }: { clientId: string; reason?: string }) {
  const db = useDb();
  return (
    <div className="-me-3 flex basis-full flex-wrap items-center justify-end ps-[18%] text-sm">
      <p className="me-3 pt-1 text-end text-danger">Not sent. {reason}</p>
      <Button onClick={() => void retry(db, clientId)} size="sm" variant="ghost">
        Retry
      </Button>
      <Button onClick={() => void discard(db, clientId)} size="sm" variant="ghost">
        Discard
      </Button>
    </div>
  );
}
