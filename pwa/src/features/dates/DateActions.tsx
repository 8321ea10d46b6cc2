import { CalendarPlus, Check, Ellipsis, Pencil, Share2, X } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { PlannedDate } from '@/api/types.ts';
import { Button, ButtonLink, ConfirmDialog, formatDate, formatTime, lazyWithRetry } from '@/ui';
import { awaitsResponse, calendarPath, describeFailure, isOpen, type Response, respondTo } from './dates.ts';

const PlanSheet = lazyWithRetry(() => import('./PlanSheet.tsx'));
const ShareSheet = lazyWithRetry(() => import('./ShareSheet.tsx'));

type OpenDialog = 'change' | 'share' | 'decline' | 'cancel' | null;

/** The buttons for a date in its current state. */
export function DateActions({ date }: { date: PlannedDate }) {
  const [open, setOpen] = useState<OpenDialog>(null);
  const { busy, error, respond } = useResponse(date);
  const close = () => setOpen(null);
  const agreed = date.status === 'accepted';
  // A date that is settled folds all actions but the first; a question shows all answers.
  const [isExpanded, setExpanded] = useState(false);
  const folded = useRef<HTMLDivElement>(null);
  const isFolded = agreed && isOpen(date) && !isExpanded;
  // The calendar file of a cancelled date removes the entry from the member's calendar.
  const inCalendar = (agreed && isOpen(date)) || (date.status === 'cancelled' && date.revision > 2);

  return (
    <>
      {error && (
        <p className="mt-3 text-danger text-sm" role="alert">
          {error}
        </p>
      )}
      <div className="mt-3 flex flex-wrap gap-2 empty:hidden" ref={folded}>
        {awaitsResponse(date) && (
          <Button busy={busy === 'accept'} onClick={() => respond('accept')} size="sm">
            <Check aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
            Say yes
          </Button>
        )}
        {inCalendar && (
          <ButtonLink download reloadDocument size="sm" to={calendarPath(date)} variant="secondary">
            <CalendarPlus aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
            {agreed ? 'Add to calendar' : 'Update my calendar'}
          </ButtonLink>
        )}
        {isFolded && (
          <Button
            aria-label="More for this date"
            onClick={() => {
              flushSync(() => setExpanded(true));
              // The button is gone: the focus goes to the first action that it showed.
              folded.current?.querySelector<HTMLElement>('button')?.focus();
            }}
            size="sm"
            variant="ghost"
          >
            <Ellipsis aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
            More
          </Button>
        )}
        {agreed && !isFolded && isOpen(date, Date.now() - 86_400_000) && (
          <Button onClick={() => setOpen('share')} size="sm" variant="secondary">
            <Share2 aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
            Share with a friend
          </Button>
        )}
        {awaitsResponse(date) && (
          <Button onClick={() => setOpen('decline')} size="sm" variant="ghost">
            <X aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
            Can't make it
          </Button>
        )}
        {isOpen(date) && !isFolded && (
          <Button onClick={() => setOpen('change')} size="sm" variant="secondary">
            <Pencil aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
            {awaitsResponse(date) ? 'Suggest a change' : 'Change'}
          </Button>
        )}
        {isOpen(date) && !isFolded && !awaitsResponse(date) && (
          <Button onClick={() => setOpen('cancel')} size="sm" variant="ghost">
            <X aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
            {agreed ? 'Call it off' : 'Withdraw'}
          </Button>
        )}
      </div>
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

function useResponse(date: PlannedDate) {
  const [busy, setBusy] = useState<Response | null>(null);
  const [failed, setFailed] = useState({ text: '', revision: 0 });
  async function respond(to: Response) {
    setBusy(to);
    setFailed({ text: '', revision: 0 });
    try {
      await respondTo(date, to);
    } catch (failure) {
      setFailed({ text: describeFailure(failure), revision: date.revision });
    }
    setBusy(null);
  }
  // An error is hidden once the date has changed.
  return { busy, error: failed.revision === date.revision ? failed.text : '', respond };
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
