import { BellOff, Clock, EllipsisVertical, Pin } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { countText } from '@/base/format.ts';
import { useIsOnline } from '@/live/presence.ts';
import { useDb } from '@/offline/store/cached.ts';
import { paths } from '@/session/paths.ts';
import { Avatar, cn, RelativeTime } from '@/ui';
import type { ListedConversation } from './conversations.ts';
import { Ticks } from './Ticks.tsx';
import { initialFrom, prefetchNewest } from './threadCache.ts';
import { useTouchGestures } from './useTouchGestures.ts';

type ItemProps = {
  row: ListedConversation;
  selected: boolean;
  onMenu: (row: ListedConversation) => void;
};

/** One conversation of the list. A long press or right click opens its menu, as its button does. */
export const ConversationItem = memo(function ConversationItem({ row, selected, onMenu }: ItemProps) {
  const db = useDb();
  const online = useIsOnline(row.userId, row.isOnline) && row.request === 'none';
  const navigate = useNavigate();
  const gestures = useTouchGestures({ onLongPress: () => onMenu(row), onReply: null });
  return (
    <li className="group relative">
      <Link
        aria-current={selected ? 'page' : undefined}
        className={cn(
          'mx-[6px] flex min-h-18 items-center gap-[12px] rounded-control py-2.5 pe-[10px] ps-[10px] transition-colors [-webkit-touch-callout:none] pointer-coarse:select-none',
          // Space for the menu button, which a request does not have.
          row.request === 'none' && 'max-md:pe-[44px]',
          selected ? 'bg-ember-soft' : 'hover:bg-raised',
        )}
        onContextMenu={(event) => {
          event.preventDefault();
          onMenu(row);
        }}
        onClick={(event) => {
          const { button, metaKey, ctrlKey, shiftKey, altKey } = event;
          if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey || event.defaultPrevented) return;
          event.preventDefault();
          // Rendered synchronously: as a transition it is drawn in slices, which takes a slow phone 1.5 times as long.
          void navigate(paths.conversation(row.id), { flushSync: true });
        }}
        to={paths.conversation(row.id)}
        {...gestures}
        onPointerDown={(event) => {
          void prefetchNewest(db, row, initialFrom(row)).catch(() => undefined);
          gestures.onPointerDown(event);
        }}
      >
        <Avatar online={online} user={row.user} />
        <Summary row={row} />
      </Link>
      {row.request === 'none' && (
        <button
          aria-haspopup="dialog"
          aria-label={`Options for the conversation with ${row.user.firstName}`}
          className="absolute top-1/2 inset-e-[6px] grid size-[44px] -translate-y-1/2 place-items-center rounded-full text-muted hover:text-ink md:bg-raised md:opacity-0 md:focus-visible:opacity-100 md:group-hover:opacity-100"
          onClick={() => onMenu(row)}
          type="button"
        >
          <EllipsisVertical aria-hidden="true" className="size-[20px]" />
        </button>
      )}
    </li>
  );
});

/** The name with its states, the time, the newest message, and whether it is unread or the member's turn. */
function Summary({ row }: { row: ListedConversation }) {
  const unread = row.unreadCount > 0;
  return (
    <span className="min-w-0 flex-1">
      <span className="flex flex-wrap items-baseline gap-x-3">
        <span className="flex min-w-0 flex-1 basis-20 items-center gap-1.5">
          <span className={cn('truncate', unread ? 'font-bold' : 'font-semibold')} dir="auto">
            {row.user.firstName}
          </span>
          {row.pinned && <StateIcon icon={Pin} label="Pinned" />}
          {row.muted && <StateIcon icon={BellOff} label="Muted" />}
        </span>
        {row.preview && <RelativeTime className="shrink-0 text-muted text-xs" value={row.preview.at} />}
      </span>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <PreviewLine row={row} unread={unread} />
        {row.isYourTurn && !unread && (
          <span className="shrink-0 rounded-full bg-ember-soft px-2 py-0.5 font-semibold text-ember-strong text-xs">
            Your turn
          </span>
        )}
        {unread && (
          <span className={cn('size-2.5 shrink-0 rounded-full', row.muted ? 'bg-muted' : 'bg-ember')}>
            <span className="sr-only">{countText(row.unreadCount, 'unread message')}</span>
          </span>
        )}
      </span>
    </span>
  );
}

function StateIcon({ icon: Icon, label }: { icon: typeof Pin; label: string }) {
  return (
    <span className="shrink-0 text-muted" title={label}>
      <Icon aria-hidden="true" className="size-3.5" strokeWidth={2} />
      <span className="sr-only">{label}</span>
    </span>
  );
}

function PreviewLine({ row, unread }: { row: ListedConversation; unread: boolean }) {
  const { preview, request, user, isEnding } = row;
  if (isEnding) return <Muted>Your match is about to end</Muted>;
  if (request === 'sent') return <Muted>Waiting for {user.firstName}'s answer</Muted>;
  if (!preview) return <Muted>Say hello to {user.firstName}</Muted>;
  const read = preview.kind === 'sent' && preview.mine && row.lastSeq <= (row.peerReadSeq ?? 0);
  return (
    <span
      className={cn(
        'flex min-w-0 flex-1 basis-24 items-center gap-1 text-sm',
        unread ? 'font-semibold text-ink' : 'text-muted',
      )}
    >
      {preview.kind === 'waiting' && (
        <>
          <Clock aria-hidden="true" className="size-3.5 shrink-0" />
          <span className="sr-only">Waiting to be sent. </span>
        </>
      )}
      {preview.kind === 'rejected' && <Ticks tick="failed" />}
      {read && <Ticks tick="read" />}
      <span className="truncate">
        {preview.kind === 'draft' ? (
          <span className="font-semibold text-ember-strong">Draft: </span>
        ) : (
          preview.mine && 'You: '
        )}
        <bdi>{preview.text}</bdi>
      </span>
    </span>
  );
}

/** A sentence of the app, which is never cut: with large text an ellipsis would leave out whom it is about. */
const Muted = ({ children }: { children: ReactNode }) => (
  <span className="wrap-break-word min-w-0 flex-1 basis-24 text-muted text-sm">{children}</span>
);
