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
import { IconButton } from './Button.tsx';
import { cn } from './cn.ts';
import { createStore } from './store.ts';

export type Toast = {
  title?: string;
  description?: string;
  variant?: 'default' | 'destructive';
  action?: ReactNode;
  /** Milliseconds on the screen; 5,000 unless told. Infinity: until dismissed, also after others were shown. */
  duration?: number;
};

type ShownToast = Toast & { id: number };

const current = createStore<ShownToast | null>(null);
/** Comes back when a passing toast has gone. */
let lasting: ShownToast | null = null;
let lastId = 0;

/** Says something once; a newer toast takes the place of the one before. */
export function toast(message: Toast): void {
  lastId += 1;
  const next = { ...message, id: lastId };
  if (message.duration === Number.POSITIVE_INFINITY) lasting = next;
  current.set(next);
}

/** Shows that something failed. `description` says what, or what to do now. */
export function toastError(description: string | undefined): void {
  toast({ title: 'Error', description, variant: 'destructive' });
}

export function dismissToast(): void {
  if (current.get() === lasting) lasting = null;
  current.set(lasting);
}

const swipeThreshold = 50;

/**
 * The one visible toast; swipe right or press Escape to dismiss, F8 moves the focus to it. Its time does not run
 * while the pointer or the focus is on it.
 */
export function Toaster() {
  const message = current.useValue();
  // One live region at a time: what went wrong is an alert of its own and interrupts.
  return (
    <div aria-live={message?.variant === 'destructive' ? 'off' : 'polite'}>
      {message && <Card key={message.id} message={message} />}
    </div>
  );
}

function Card({ message }: { message: Toast }) {
  const ref = useRef<HTMLDivElement>(null);
  const start = useRef<number | null>(null);
  const { title, description, action, variant = 'default', duration = 5000 } = message;
  const bad = variant === 'destructive';

  const paused = usePaused(ref, duration);

  useEffect(() => {
    // In the top layer, so that an open dialog does not hide it.
    ref.current?.showPopover?.();
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'F8') ref.current?.focus();
      if (event.key === 'Escape' && ref.current?.contains(document.activeElement)) dismissToast();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);

  function drag(event: PointerEvent) {
    if (start.current === null || !ref.current) return;
    ref.current.style.transform = `translateX(${Math.max(0, event.clientX - start.current)}px)`;
  }

  function drop(event: PointerEvent) {
    if (start.current !== null && event.clientX - start.current > swipeThreshold) dismissToast();
    else if (ref.current) ref.current.style.transform = '';
    start.current = null;
  }

  return (
    <div
      className={cn(
        // The z-index is for browsers without popovers.
        'hw-toast fixed inset-x-4 z-50 top-[calc(env(safe-area-inset-top)+12px)] bottom-auto mx-auto my-0 flex w-auto max-w-[420px] touch-pan-y items-start gap-3 rounded-card border bg-surface py-3 pr-2 pl-5 text-ink shadow-float md:right-[max(24px,env(safe-area-inset-right))] md:left-auto md:mx-0 md:w-[420px]',
        bad ? 'border-danger' : 'border-line',
      )}
      {...paused}
      onPointerCancel={drop}
      onPointerDown={(event) => {
        start.current = event.clientX;
      }}
      onPointerMove={drag}
      onPointerUp={drop}
      popover="manual"
      ref={ref}
      role={bad ? 'alert' : undefined}
      tabIndex={-1}
    >
      {/* Words and button share a line where both fit: the less of the screen it covers. */}
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-2">
        <div className="min-w-48 flex-1 py-1.5">
          {title && <p className={cn('font-semibold', bad && 'text-danger')}>{title}</p>}
          {description && <p className="text-muted text-sm">{description}</p>}
        </div>
        {action}
      </div>
      <IconButton icon={X} label="Dismiss" onClick={dismissToast} />
    </div>
  );
}

/** Dismisses after `duration` without pointer or focus; the focus then returns to where it was before. */
function usePaused(card: RefObject<HTMLElement | null>, duration: number) {
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const before = useRef<HTMLElement | null>(null);
  const paused = hovered || focused;

  useEffect(() => {
    if (paused || !Number.isFinite(duration)) return;
    const timer = setTimeout(dismissToast, duration);
    return () => clearTimeout(timer);
  }, [paused, duration]);

  useLayoutEffect(() => {
    const { current } = card;
    return () => {
      if (current?.contains(document.activeElement)) before.current?.focus({ preventScroll: true });
    };
  }, [card]);

  const within = (target: EventTarget | null) => target instanceof Node && card.current?.contains(target);
  return {
    onPointerEnter: () => setHovered(true),
    onPointerLeave: () => setHovered(false),
    onFocus: ({ relatedTarget }: { relatedTarget: EventTarget | null }) => {
      setFocused(true);
      if (relatedTarget instanceof HTMLElement && !within(relatedTarget)) before.current = relatedTarget;
    },
    onBlur: ({ relatedTarget }: { relatedTarget: EventTarget | null }) =>
      setFocused(Boolean(within(relatedTarget))),
  };
}
