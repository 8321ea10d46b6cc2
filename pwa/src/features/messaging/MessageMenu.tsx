import { Copy, CornerUpLeft, type LucideIcon, SmilePlus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { MessageRow } from '@/offline/store/rows.ts';
import { ConfirmDialog, cn, copyText, IconButton, Sheet } from '@/ui';
import { describeRow } from './describeMessage.ts';
import { EmojiSheet } from './EmojiSheet.tsx';
import { QUICK_EMOJI } from './emoji.ts';

type MessageMenuProps = {
  row: MessageRow;
  mine: boolean;
  author: string;
  /** Whether one can react and reply to the message: it is stored on the server, and its conversation is no request. */
  canReply: boolean;
  onReact: (emoji: string) => void;
  onReply: () => void;
  onDelete: () => void;
  onClose: () => void;
};

/** The menu of one message: react, reply, copy, delete. */
export function MessageMenu({ row, mine, author, canReply, onClose, ...handlers }: MessageMenuProps) {
  const [confirming, setConfirming] = useState(false);
  const [picking, setPicking] = useState(false);
  const ownReaction = mine ? row.senderReaction : row.receiverReaction;
  const closeAnd = (work: () => void) => () => {
    onClose();
    work();
  };

  if (picking) {
    return (
      <EmojiSheet
        onClose={onClose}
        onPick={(emoji) => closeAnd(() => handlers.onReact(emoji))()}
        title="React with an emoji"
      />
    );
  }
  if (confirming) {
    return (
      <ConfirmDialog
        cancel="Keep it"
        confirm="Delete"
        description={`This removes it for you and ${author}. “Message deleted” stays in its place.`}
        onClose={onClose}
        onConfirm={closeAnd(handlers.onDelete)}
        title="Delete this message?"
      />
    );
  }
  return (
    <Sheet onClose={onClose} open title={mine ? 'Your message' : `Message from ${author}`}>
      <div className="rounded-control bg-raised px-3 py-2">
        <p className="line-clamp-2 text-muted text-sm [overflow-wrap:anywhere]">{describeRow(row)}</p>
      </div>
      {canReply && (
        <Emojis
          onMore={() => setPicking(true)}
          onPick={(emoji) => closeAnd(() => handlers.onReact(emoji))()}
          ownReaction={ownReaction}
        />
      )}
      <div className="-mx-3 mt-2 flex flex-col">
        {canReply && <MenuItem icon={CornerUpLeft} label="Reply" onClick={closeAnd(handlers.onReply)} />}
        {row.content && (
          <MenuItem
            icon={Copy}
            label="Copy"
            onClick={closeAnd(() => void copyText(row.content, { title: 'Copied' }))}
          />
        )}
        {mine && canReply && (
          <MenuItem danger icon={Trash2} label="Delete" onClick={() => setConfirming(true)} />
        )}
      </div>
    </Sheet>
  );
}

type EmojisProps = { ownReaction: string | null; onPick: (emoji: string) => void; onMore: () => void };

/** Six emoji as buttons, and a button for all others. */
function Emojis({ ownReaction, onPick, onMore }: EmojisProps) {
  const quick: readonly string[] = QUICK_EMOJI;
  const shown = ownReaction && !quick.includes(ownReaction) ? [ownReaction, ...quick.slice(0, 5)] : quick;
  return (
    <fieldset className="mt-4 flex flex-wrap items-center gap-1">
      <legend className="sr-only">React with</legend>
      {shown.map((emoji) => (
        <button
          aria-label={emoji === ownReaction ? `Take ${emoji} back` : `React with ${emoji}`}
          aria-pressed={emoji === ownReaction}
          className={cn(
            'grid size-12 place-items-center rounded-full text-2xl hover:bg-raised',
            emoji === ownReaction && 'bg-ember-soft',
          )}
          key={emoji}
          onClick={() => onPick(emoji)}
          type="button"
        >
          {emoji}
        </button>
      ))}
      <IconButton
        aria-haspopup="dialog"
        icon={SmilePlus}
        label="React with another emoji"
        onClick={onMore}
        tone="surface"
      />
    </fieldset>
  );
}

type MenuItemProps = { icon: LucideIcon; label: string; onClick: () => void; danger?: boolean };

export function MenuItem({ icon: Icon, label, onClick, danger = false }: MenuItemProps) {
  return (
    <button
      className={cn(
        'flex min-h-12 items-center gap-3 rounded-control px-3 text-start font-semibold hover:bg-raised',
        danger && 'text-danger',
      )}
      onClick={onClick}
      type="button"
    >
      <Icon aria-hidden="true" className="size-5 shrink-0" />
      {label}
    </button>
  );
}
