import { X } from 'lucide-react';
import {
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { createStore } from '@/base/store.ts';
import { IconButton } from './Button.tsx';
import { cn } from './cn.ts';
import { lineSign } from './direction.ts';

export type Toast = {
  title?: string;
  description?: string;
  action?: ReactNode;
  /** The time on the screen in ms; 5,000 by default. Infinity: until dismissed, shown again after other toasts. */
  duration?: number;
};

type ShownToast = Toast & { id: number; isError: boolean };

const current = createStore<ShownToast | null>(null);
/** The toast of infinite duration, shown again when another one ends. */
const lasting = createStore<ShownToast | null>(null);

/** Shows a toast, which replaces the current one. */
export function toast(message: Toast): void {
  show(message, false);
}

/** Shows an error toast. `description` says what failed, or what to do. */
export function toastError(description: string | undefined, title = 'Error'): void {
  show({ title, description }, true);
}

/** The number of toasts so far. A toast never has the id of one before, whose card it would go on with. */
const total = createStore(0);

function show(message: Toast, isError: boolean): void {
  total.set(total.get() + 1);
  const next = { ...message, id: total.get(), isError };
  if (message.duration === Number.POSITIVE_INFINITY) lasting.set(next);
  current.set(next);
}

export function dismissToast(): void {
  if (current.get() === lasting.get()) lasting.set(null);
  current.set(lasting.get());
}

const DISMISS_SWIPE_PX = 50;

/** Returns how far a finger has moved to the end of a line, in CSS pixels. */
const swipeTo = ({ clientX }: PointerEvent, from: number) => lineSign() * (clientX - from);

/**
 * Shows the current toast. A swipe to the end of the line dismisses it, and so does Escape while it has the focus; F8
 * focuses it. It stays while it is hovered or focused, and its time then starts again.
 */
export function Toaster() {
  const message = current.useValue();
  // One live region at a time: an error is an alert of its own, which interrupts the screen reader.
  return (
    <div aria-live={message?.isError ? 'off' : 'polite'}>
      {message && <ToastCard key={message.id} message={message} />}
    </div>
  );
}

function ToastCard({ message }: { message: ShownToast }) {
  const ref = useRef<HTMLDivElement>(null);
  const { title, description, action, isError, duration = 5000 } = message;

  const timerHandlers = useDismissTimer(ref, duration);
  const swipeHandlers = useDismissSwipe(ref);

  useEffect(() => {
    // In the top layer, above an open dialog.
    ref.current?.showPopover?.();
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'F8') ref.current?.focus();
      if (event.key === 'Escape' && ref.current?.contains(document.activeElement)) dismissToast();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);

  return (
    <div
      className={cn(
        // The z-index is for browsers without popovers.
        'hw-toast fixed inset-x-[16px] z-50 mx-auto my-0 flex w-auto max-w-[420px] touch-pan-y items-start gap-[12px] rounded-card border bg-surface py-3 pe-[8px] ps-[20px] text-ink shadow-float md:inset-e-[max(24px,env(safe-area-inset-left),env(safe-area-inset-right))] md:inset-s-auto md:mx-0 md:w-[420px]',
        isError ? 'border-danger' : 'border-line',
      )}
      {...timerHandlers}
      {...swipeHandlers}
      popover="manual"
      ref={ref}
      role={isError ? 'alert' : undefined}
      tabIndex={-1}
    >
      {/* Text and button share a line if both fit, to cover less of the screen. */}
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-2">
        <div className="min-w-[min(100%,12rem)] flex-1 py-1.5">
          {title && <p className={cn('font-semibold', isError && 'text-danger')}>{title}</p>}
          {description && <p className="text-muted text-sm">{description}</p>}
        </div>
        {action}
      </div>
      <IconButton icon={X} label="Dismiss" onClick={dismissToast} />
    </div>
  );
}

/** Moves the toast with a finger, and dismisses it if it was swiped to the end of the line. */
function useDismissSwipe(card: RefObject<HTMLElement | null>) {
  const start = useRef<number | null>(null);

  function drag(event: PointerEvent) {
    if (start.current === null || !card.current) return;
    const swiped = Math.max(0, swipeTo(event, start.current));
    card.current.style.transform = `translateX(${lineSign() * swiped}px)`;
  }

  function drop(event: PointerEvent) {
    if (start.current !== null && swipeTo(event, start.current) > DISMISS_SWIPE_PX) dismissToast();
    else if (card.current) card.current.style.transform = '';
    start.current = null;
  }

  return {
    onPointerDown: (event: PointerEvent) => {
      start.current = event.clientX;
    },
    onPointerMove: drag,
    onPointerUp: drop,
    onPointerCancel: drop,
  };
}

/** Dismisses the toast after `duration` without hover and focus. Its removal restores the previous focus. */
function useDismissTimer(card: RefObject<HTMLElement | null>, duration: number) {
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const focusBefore = useRef<HTMLElement | null>(null);
  const paused = hovered || focused;

  useEffect(() => {
    if (paused || !Number.isFinite(duration)) return;
    const timer = setTimeout(dismissToast, duration);
    return () => clearTimeout(timer);
  }, [paused, duration]);

  useLayoutEffect(() => {
    const { current } = card;
    return () => {
      if (current?.contains(document.activeElement)) focusBefore.current?.focus({ preventScroll: true });
    };
  }, [card]);

  const isInside = (target: EventTarget | null) => target instanceof Node && card.current?.contains(target);
  return {
    onPointerEnter: () => setHovered(true),
    onPointerLeave: () => setHovered(false),
    onFocus: ({ relatedTarget }: { relatedTarget: EventTarget | null }) => {
      setFocused(true);
      if (relatedTarget instanceof HTMLElement && !isInside(relatedTarget))
        focusBefore.current = relatedTarget;
    },
    onBlur: ({ relatedTarget }: { relatedTarget: EventTarget | null }) =>
      setFocused(Boolean(isInside(relatedTarget))),
  };
}
