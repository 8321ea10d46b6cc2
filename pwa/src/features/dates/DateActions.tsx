import { CalendarPlus, Check, Ellipsis, type LucideIcon, Pencil, Share2, X } from 'lucide-react';
import { type ComponentProps, Suspense, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { PlannedDate } from '@/api/types.ts';
import { DAY_MS, formatDate, formatTime } from '@/base/format.ts';
import { useSaveClick } from '@/media/saveFile.tsx';
import { useDb } from '@/offline/store/cached.ts';
import { Button, ButtonLink, ConfirmDialog, lazyWithRetry, useAction } from '@/ui';
import { awaitsResponse, calendarPath, describeFailure, isOpen, type Response, respondTo } from './dates.ts';

const PlanSheet = lazyWithRetry(() => import('./PlanSheet.tsx'));
const ShareSheet = lazyWithRetry(() => import('./ShareSheet.tsx'));

type OpenDialog = 'change' | 'share' | 'decline' | 'cancel' | null;

/** The buttons for a date in its current state. */
export function DateActions({ date }: { date: PlannedDate }) {
  const [open, setOpen] = useState<OpenDialog>(null);
  const { busy, error, respond } = useResponse(date);
  const close = () => setOpen(null);

  return (
    <>
      {error && (
        <p className="mt-3 text-danger text-sm" role="alert">
          {error}
        </p>
      )}
      <Actions
        date={date}
        isAccepting={busy === 'accept'}
        onAccept={() => respond('accept')}
        onOpen={setOpen}
      />
      {date.sharedUntil && Date.parse(date.sharedUntil) > Date.now() && (
        <p className="mt-2 text-muted text-xs">
          Shared by a link until {formatDate(date.sharedUntil)}, {formatTime(date.sharedUntil)}.
        </p>
      )}
      <Suspense fallback={null}>
        {open === 'change' && <PlanSheet target={{ date }} onClose={close} />}
        {open === 'share' && <ShareSheet date={date} onClose={close} />}
      </Suspense>
      {(open === 'decline' || open === 'cancel') && (
        <ConfirmEnd
          busy={busy === open}
          date={date}
          onClose={close}
          onConfirm={() => void respond(open).then(close)}
          action={open}
        />
      )}
    </>
  );
}

type ActionsProps = {
  date: PlannedDate;
  isAccepting: boolean;
  onAccept: () => void;
  onOpen: (dialog: OpenDialog) => void;
};

/** A date that is settled folds all actions but the first; a question shows all answers. */
function Actions({ date, isAccepting, onAccept, onOpen }: ActionsProps) {
  const [isExpanded, setExpanded] = useState(false);
  const ref = useRef<HTMLDivElement>(null);
  const agreed = date.status === 'accepted';
  const isFolded = agreed && isOpen(date) && !isExpanded;
  function expand() {
    flushSync(() => setExpanded(true));
    // The button is gone: the focus goes to the first action that it showed.
    ref.current?.querySelector<HTMLElement>('button')?.focus();
  }
  return (
    <div className="@container mt-3 flex flex-wrap gap-2 empty:hidden" ref={ref}>
      {awaitsResponse(date) && (
        <Action busy={isAccepting} icon={Check} onClick={onAccept} variant="primary">
          Say yes
        </Action>
      )}
      <CalendarLink date={date} />
      {isFolded ? (
        <Action aria-label="More for this date" icon={Ellipsis} onClick={expand} variant="ghost">
          More
        </Action>
      ) : (
        <MoreActions date={date} onOpen={onOpen} />
      )}
    </div>
  );
}

function MoreActions({ date, onOpen }: Pick<ActionsProps, 'date' | 'onOpen'>) {
  const agreed = date.status === 'accepted';
  const isAsked = awaitsResponse(date);
  return (
    <>
      {agreed && isOpen(date, Date.now() - DAY_MS) && (
        <Action icon={Share2} onClick={() => onOpen('share')}>
          Share with a friend
        </Action>
      )}
      {isAsked && (
        <Action icon={X} onClick={() => onOpen('decline')} variant="ghost">
          Can't make it
        </Action>
      )}
      {isOpen(date) && (
        <Action icon={Pencil} onClick={() => onOpen('change')}>
          {isAsked ? 'Suggest a change' : 'Change'}
        </Action>
      )}
      {isOpen(date) && !isAsked && (
        <Action icon={X} onClick={() => onOpen('cancel')} variant="ghost">
          {agreed ? 'Call it off' : 'Withdraw'}
        </Action>
      )}
    </>
  );
}

function CalendarLink({ date }: { date: PlannedDate }) {
  const agreed = date.status === 'accepted';
  const address = calendarPath(date);
  const onSave = useSaveClick(address, 'heartward-date.ics');
  // The calendar file of a cancelled date removes the entry from the member's calendar.
  if (!(agreed && isOpen(date)) && !(date.status === 'cancelled' && date.revision > 2)) return null;
  return (
    <ButtonLink
      className={NARROW}
      download
      onClick={onSave}
      reloadDocument
      size="sm"
      to={address}
      variant="secondary"
    >
      <CalendarPlus aria-hidden="true" className={ICON} />
      {agreed ? 'Add to calendar' : 'Update my calendar'}
    </ButtonLink>
  );
}

/** In a card that is narrow for its text, a long word has the room of the padding and the icon. */
const NARROW = '@max-[8rem]:px-1';
const ICON = 'size-4.5 shrink-0 @max-[8rem]:hidden';

function Action({
  icon: Icon,
  children,
  ...props
}: Omit<ComponentProps<typeof Button>, 'size'> & { icon: LucideIcon }) {
  return (
    <Button className={NARROW} size="sm" variant="secondary" {...props}>
      <Icon aria-hidden="true" className={ICON} />
      {children}
    </Button>
  );
}

function useResponse(date: PlannedDate) {
  const db = useDb();
  const [revision, setRevision] = useState(date.revision);
  const [respond, { running, error }] = useAction(
    (to: Response) => {
      setRevision(date.revision);
      return respondTo(db, date, to);
    },
    { inline: true, errorText: describeFailure },
  );
  // An error is hidden once the date has changed.
  return { busy: running?.[0] ?? null, error: revision === date.revision ? error : '', respond };
}

type ConfirmEndProps = {
  date: PlannedDate;
  action: 'decline' | 'cancel';
  busy: boolean;
  onConfirm: () => void;
  onClose: () => void;
};

function ConfirmEnd({ date: { user, status, place }, action, busy, onConfirm, onClose }: ConfirmEndProps) {
  const title =
    action === 'decline' ? 'Decline this date?' : status === 'accepted' ? 'Call this date off?' : 'Withdraw?';
  return (
    <ConfirmDialog
      busy={busy}
      cancel="Keep it"
      confirm={action === 'decline' ? "Can't make it" : status === 'accepted' ? 'Call it off' : 'Withdraw'}
      description={`${user.firstName} is told that ${place} won't happen. You can plan another date at any time.`}
      onClose={onClose}
      onConfirm={onConfirm}
      title={title}
    />
  );
}
