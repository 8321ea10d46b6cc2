import { X } from 'lucide-react';
import {
  type ComponentProps,
  type ReactNode,
  type Ref,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { IconButton } from './Button.tsx';
import { cn } from './cn.ts';
import { useMovers } from './motion.ts';
import { useRootMark } from './rootMark.ts';
import { useMediaQuery } from './useMediaQuery.ts';

type ModalProps = {
  open: boolean;
  /**
   * Called on Escape, on the close button and, unless text was entered, on a tap on the backdrop or when a sheet is dragged
   * down.
   */
  onClose: () => void;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons at the bottom, always visible. */
  actions?: ReactNode;
};

type OpenProps = Omit<ModalProps, 'open'> & {
  className: string;
  /** Whether the animation library moves it, if it is loaded: from below, and by a finger. */
  moves?: boolean;
};

const TEXT_FIELDS = 'textarea, input:not([type=checkbox], [type=radio], [type=range], [type=search])';

/**
 * A native modal dialog: it traps the focus, makes the rest inert and needs no injected styles, which the page's content
 * policy forbids.
 */
function Modal({ onClose, title, description, children, actions, className, moves = false }: OpenProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const loaded = useMovers();
  const movers = moves ? loaded : null;
  const [enters] = useState(movers !== null);
  const id = useId();
  const { textEntered, handlers } = useModal(ref, onClose);

  return (
    <dialog
      aria-describedby={description ? `${id}-description` : undefined}
      aria-labelledby={`${id}-title`}
      className={cn('hw-dialog max-w-none flex-col bg-surface text-ink shadow-float open:flex', className)}
      data-moved={enters || undefined}
      ref={ref}
      {...handlers}
    >
      <Head
        description={description}
        id={id}
        isHandle={movers !== null}
        onClose={onClose}
        ref={head}
        title={title}
      />
      {children && (
        // Relative, so that texts for screen readers, which are absolutely positioned, lie in it and not beyond its end:
        // the dialog itself would scroll.
        <div className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 pt-1 pb-5">
          {children}
        </div>
      )}
      {actions && (
        <div className="flex flex-wrap justify-end gap-3 border-line border-t px-5 pt-4 pb-[max(1rem,env(safe-area-inset-bottom))]">
          {actions}
        </div>
      )}
      {movers && (
        <movers.SheetMover
          enters={enters}
          handle={head}
          // As a tap on the backdrop, a drag must not lose entered text.
          mayClose={() => !textEntered.current}
          onDragDown={onClose}
          sheet={ref}
        />
      )}
    </dialog>
  );
}

/** Opens a dialog as a modal one. Returns its handlers, and whether text was entered in it. */
function useModal(ref: RefObject<HTMLDialogElement | null>, onClose: () => void) {
  const textEntered = useRef(false);
  /** Whether the pointer came down on the backdrop: a text selection may end there and must not close the dialog. */
  const pressedBackdrop = useRef(false);
  useRootMark('modal');

  // Before the browser paints. Closing while still in the document restores the focus.
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, [ref]);

  const handlers: ComponentProps<'dialog'> = {
    onCancel(event) {
      // The cancel event of a nested dialog or of a file picker bubbles, and must not close this one.
      if (event.target !== event.currentTarget) return;
      event.preventDefault();
      onClose();
    },
    onClose({ currentTarget }) {
      // The browser may close it without a cancel event (a second Escape).
      if (currentTarget.isConnected && !currentTarget.open) onClose();
    },
    onClick({ target, currentTarget }) {
      // A tap on the backdrop must not lose entered text; Escape and the close button remain.
      if (target === currentTarget && pressedBackdrop.current && !textEntered.current) onClose();
    },
    onInput({ target }) {
      textEntered.current ||= target instanceof Element && target.matches(TEXT_FIELDS);
    },
    onPointerDown({ target, currentTarget }) {
      pressedBackdrop.current = target === currentTarget;
    },
  };
  return { textEntered, handlers };
}

type HeadProps = Pick<ModalProps, 'title' | 'description' | 'onClose'> & {
  /** The prefix of the ids of the title and the description. */
  id: string;
  /** Whether the sheet is dragged by it. */
  isHandle: boolean;
  ref: Ref<HTMLDivElement>;
};

function Head({ title, description, onClose, id, isHandle, ref }: HeadProps) {
  return (
    <div
      className={cn(
        'flex items-start justify-between gap-4 px-5 pt-5 pb-3',
        // The browser would scroll, and cancel the drag.
        isHandle && 'touch-pan-x touch-pinch-zoom',
      )}
      ref={ref}
    >
      <div className="min-w-0">
        <h2 className="font-display font-semibold text-xl" id={`${id}-title`}>
          {title}
        </h2>
        {description && (
          <p className="mt-1 text-muted text-sm" id={`${id}-description`}>
            {description}
          </p>
        )}
      </div>
      <IconButton className="-mt-1.5 -me-2" icon={X} label="Close" onClick={onClose} />
    </div>
  );
}

/** A small dialog in the middle of the screen. */
export function Dialog({ open, ...props }: ModalProps) {
  if (!open) return null;
  return (
    <Modal
      {...props}
      className="fixed inset-0 m-auto h-fit max-h-[calc(100dvh-2rem)] w-[min(28rem,calc(100vw-2rem))] rounded-card"
    />
  );
}

type SheetProps = ModalProps & { full?: boolean };

/** A larger dialog: a bottom sheet of full width on a phone, a centred panel from 768 px on. */
export const Sheet = ({ open, ...props }: SheetProps) => (open ? <OpenSheet {...props} /> : null);

function OpenSheet({ full = false, ...props }: Omit<SheetProps, 'open'>) {
  const isPanel = useMediaQuery('(min-width: 768px)');
  return (
    <Modal
      {...props}
      moves={!isPanel}
      className={cn(
        'fixed inset-x-0 top-auto bottom-0 m-0 w-full md:inset-0 md:m-auto md:h-fit md:max-h-[calc(100dvh-4rem)] md:w-[min(44rem,calc(100vw-4rem))] md:rounded-card',
        full
          ? 'h-dvh max-h-none pt-safe md:h-[calc(100dvh-4rem)] md:pt-0'
          : 'max-h-[90dvh] rounded-t-sheet md:rounded-card',
      )}
    />
  );
}
