import {
  type ComponentProps,
  type CSSProperties,
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Avatar, cn, Logo, useMovers, useRootMark } from '@/ui';
import { type Celebration, celebrationTexts, type MessageTarget } from './celebration.ts';
import { isTextField } from './celebrationQueue.ts';

type CelebrationOverlayProps = {
  celebration: Celebration;
  /** The signed-in member, drawn beside the other. */
  me?: Celebration['user'];
  /** The field for a first message to a match, provided by the app, which imports the other features. */
  firstMessage?: FirstMessageField;
  /** Called after a tap, Escape or the celebration's duration; no timer runs while the member writes. */
  onDone: () => void;
  /** Called when the member has sent a first message. */
  onMessageSent?: () => void;
};

export type FirstMessageField = (
  about: MessageTarget & { name: string; onWriting: () => void; onSent: () => void },
) => ReactNode;

/** The embers: start (% of the width), drift (px), delay of the animation (ms), size (px). */
const embers = [
  [8, 24, 200, 8],
  [16, -18, 900, 10],
  [24, 30, 0, 7],
  [31, 12, 1300, 9],
  [38, -26, 500, 8],
  [45, 18, 1000, 11],
  [52, -10, 150, 8],
  [59, 28, 700, 9],
  [66, -24, 1200, 7],
  [73, 14, 350, 10],
  [81, -30, 850, 8],
  [90, -14, 100, 9],
] as const;

/** A modal full-screen overlay with two avatars, a text and rising embers. */
export function CelebrationOverlay(props: CelebrationOverlayProps) {
  const { celebration, me, firstMessage, onDone, onMessageSent = onDone } = props;
  const [isWriting, setWriting] = useState(false);
  const ref = useRef<HTMLDialogElement>(null);
  const movedParts = {
    words: useRef<HTMLDivElement>(null),
    me: useRef<HTMLSpanElement>(null),
    other: useRef<HTMLSpanElement>(null),
    mark: useRef<HTMLSpanElement>(null),
  };
  const loaded = useMovers();
  // What loads during the celebration would move it again.
  const [movers] = useState(loaded);
  const { usesKeys, handlers } = useOverlay(ref, onDone);
  useEnd(isWriting ? 0 : celebrationTexts[celebration.type].milliseconds, onDone);

  return (
    <dialog
      aria-describedby="celebration-text"
      aria-labelledby="celebration-title"
      className="hw-celebration fixed inset-0 m-0 size-full max-h-none max-w-none place-items-center overflow-hidden bg-photo-shade text-center text-on-photo open:grid"
      ref={ref}
      {...handlers}
    >
      <Embers />
      <div
        className="hw-celebration-words relative px-6"
        data-moved={movers ? true : undefined}
        ref={movedParts.words}
      >
        <Faces celebration={celebration} me={me} parts={movedParts} />
        <Words celebration={celebration} />
        {firstMessage && celebration.messageTarget && (
          // biome-ignore lint/a11y/noStaticElementInteractions: only keeps a tap on the field from ending the celebration
          // biome-ignore lint/a11y/useKeyWithClickEvents: see above
          <div
            className="mx-auto mt-8 w-full max-w-sm text-start"
            onClick={(event) => event.stopPropagation()}
          >
            {firstMessage({
              ...celebration.messageTarget,
              name: celebration.name,
              onWriting: () => setWriting(true),
              onSent: onMessageSent,
            })}
          </div>
        )}
        <EndButton isFramed={usesKeys} />
      </div>
      {movers && <movers.CelebrationMover {...movedParts} />}
    </dialog>
  );
}

/**
 * Opens the overlay as a modal dialog. Returns its handlers, and whether a key was pressed in it: without, the focus is where
 * the app put it, and a frame would look like a choice.
 */
function useOverlay(ref: RefObject<HTMLDialogElement | null>, onDone: () => void) {
  const [usesKeys, setUsesKeys] = useState(false);
  const openedFromField = useRef(false);
  useRootMark('modal');
  useRootMark('celebration');

  useLayoutEffect(() => {
    const dialog = ref.current;
    openedFromField.current = isTextField(document.activeElement);
    dialog?.showModal();
    // A dialog restores the focus only when it is closed while in the document.
    return () => dialog?.close();
  }, [ref]);

  const handlers: ComponentProps<'dialog'> = {
    onCancel(event) {
      event.preventDefault();
      onDone();
    },
    onClick: onDone,
    onKeyDown({ key, ctrlKey, metaKey, target }) {
      setUsesKeys(true);
      if (target instanceof Element && isTextField(target)) return;
      // The member is still typing. Closing on keydown restores the focus before the field receives this character.
      const isTyped = key.length === 1 || key === 'Process';
      if (openedFromField.current && isTyped && !ctrlKey && !metaKey) ref.current?.close();
    },
    onClose({ currentTarget }) {
      // The browser may close it without a cancel event (a second Escape).
      if (currentTarget.isConnected && !currentTarget.open) onDone();
    },
  };
  return { usesKeys, handlers };
}

/** Calls `onDone` after a time in ms; never for 0. */
function useEnd(milliseconds: number | undefined, onDone: () => void): void {
  const done = useEffectEvent(onDone);
  useEffect(() => {
    if (!milliseconds) return;
    const timer = setTimeout(() => done(), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds]);
}

function Embers() {
  return (
    <div aria-hidden="true" className="pointer-events-none absolute inset-0">
      {embers.map(([left, drift, delay, size]) => (
        <span
          className="hw-ember absolute bottom-0 rounded-full"
          key={left}
          style={
            {
              left: `${left}%`,
              width: size,
              height: size,
              animationDelay: `${delay}ms`,
              '--drift': `${drift}px`,
            } as CSSProperties
          }
        />
      ))}
    </div>
  );
}

type FacesProps = Pick<CelebrationOverlayProps, 'celebration' | 'me'> & {
  parts: Record<'me' | 'other' | 'mark', Ref<HTMLSpanElement>>;
};

function Faces({ celebration: { user, badge }, me, parts }: FacesProps) {
  return (
    <div aria-hidden="true" className="relative mx-auto mb-8 flex w-fit items-center">
      {user && me && (
        <span ref={parts.me}>
          <Avatar className="rounded-full ring-4 ring-photo-shade" size="xl" user={me} />
        </span>
      )}
      {user && (
        <span className="-ms-5" ref={parts.other}>
          <Avatar className="rounded-full ring-4 ring-photo-shade" size="xl" user={user} />
        </span>
      )}
      {badge?.picture ?? (
        <span
          className="absolute -bottom-5 inset-x-0 mx-auto grid size-14 place-items-center rounded-full bg-surface shadow-float"
          ref={parts.mark}
        >
          <Logo className="size-9" lively />
        </span>
      )}
    </div>
  );
}

function Words({ celebration: { type, badge, name, note } }: Pick<CelebrationOverlayProps, 'celebration'>) {
  const { title, subtitle } = celebrationTexts[type];
  return (
    <div role="status">
      <h2 className="font-display font-semibold text-4xl" id="celebration-title">
        {badge?.title ?? title}
      </h2>
      <p className="mt-3 text-balance text-lg" id="celebration-text">
        {badge?.text ?? subtitle(name)}
      </p>
      {note && <LikeComment name={name} {...note} />}
    </div>
  );
}

/** The overlay itself is what reacts to the tap. */
function EndButton({ isFramed }: { isFramed: boolean }) {
  return (
    <button
      // biome-ignore lint/a11y/noAutofocus: the overlay is modal, and this ends it.
      autoFocus
      className={cn(
        'mt-8 min-h-11 rounded-control px-5 opacity-85',
        isFramed ? 'focus-visible:outline-on-photo' : 'outline-none',
      )}
      type="button"
    >
      Tap anywhere to continue
    </button>
  );
}

/** The comment of the other member's like, with what it was about. */
function LikeComment({ comment, about, name }: { comment: string; about: string; name: string }) {
  return (
    <figure className="mx-auto mt-6 max-w-md">
      <blockquote className="line-clamp-4 font-display text-xl italic [overflow-wrap:anywhere]">
        “{comment}”
      </blockquote>
      <figcaption className="mt-2 text-sm opacity-85">{about ? `${name}, about ${about}` : name}</figcaption>
    </figure>
  );
}
