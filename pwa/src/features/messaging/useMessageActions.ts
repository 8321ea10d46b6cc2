import { useEffect, useMemo, useState } from 'react';
import { enqueue } from '@/offline/outbox/outbox.ts';
import { senderOf } from '@/offline/outbox/sender.ts';
import { useDb } from '@/offline/store/cached.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import type { MessageRow, OutboxRow } from '@/offline/store/rows.ts';
import { toastError } from '@/ui';
import type { MessageActions } from './Bubble.tsx';
import { QUICK_EMOJI } from './emoji.ts';

type MessageActionsOptions = {
  memberId: string;
  reply: (row: MessageRow) => void;
  goTo: (seq: number) => void;
};

/** Actions on messages: shown at once, sent through the outbox, reverted if the server rejects them. */
export function useMessageActions({ memberId, reply, goTo }: MessageActionsOptions) {
  const db = useDb();
  const [menu, setMenu] = useState<MessageRow | null>(null);
  const actions = useMemo(
    (): MessageActions => ({
      openMenu: setMenu,
      reply,
      goTo,
      react: (row, emoji) =>
        void change(db, row, { kind: 'reaction', emoji: emoji === reactionOf(row, memberId) ? null : emoji }),
      like: (row) => {
        const [heart] = QUICK_EMOJI;
        if (reactionOf(row, memberId) === heart) return;
        navigator.vibrate?.(10);
        void change(db, row, { kind: 'reaction', emoji: heart });
      },
    }),
    [memberId, reply, goTo, db],
  );
  const remove = (row: MessageRow) => void change(db, row, { kind: 'delete' });
  return { actions, menu, closeMenu: () => setMenu(null), remove };
}

const reactionOf = (row: MessageRow, memberId: string): string | null =>
  row.senderId === memberId ? row.senderReaction : row.receiverReaction;

type Change = { kind: 'reaction'; emoji: string | null } | { kind: 'delete' };

async function change(db: HeartwardDb, { conversationId, seq }: MessageRow, what: Change): Promise<void> {
  if (seq === null) return;
  try {
    await enqueue(db, { ...what, conversationId, seq });
  } catch {
    toastError('Free some space and try again.', 'This device is full');
  }
}

const rejectedTitles: Partial<Record<OutboxRow['kind'], string>> = {
  message: 'Failed to send message',
  reaction: "Your reaction wasn't saved",
  delete: 'The message could not be deleted',
};

/** Shows a toast when the server rejects a message or a change that is already shown. */
export function useRejectedChanges(): void {
  const db = useDb();
  useEffect(
    () =>
      senderOf(db).onSettled((result) => {
        const { kind } = result.row;
        const title = rejectedTitles[kind];
        if (result.ok || !title || (kind !== 'message' && result.status === 404)) return;
        toastError(result.reason || 'Please check your connection.', title);
      }),
    [db],
  );
}
