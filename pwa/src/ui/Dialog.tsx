import { X } from 'lucide-react';
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { IconButton } from './Button.tsx';
import { cn } from './cn.ts';
import { useRootMark } from './rootMark.ts';

type ModalProps = {
  open: boolean;
  /** Called on Escape, on the close button and, unless text was written in it, on a tap beside it. */
  onClose: () => void;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons at the foot, always in sight. */
  actions?: ReactNode;
};

const TEXT_FIELDS = 'textarea, input:not([type=checkbox], [type=radio], [type=range], [type=search])';

/**
 * The browser's own modal: it holds the focus, makes the rest inert and needs no injected styles, which the
 * page's content policy forbids.
 */
function Modal({
  onClose,
  title,
  description,
  children,
  actions,
  className,
}: Omit<ModalProps, 'open'> & { className: string }) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const descriptionId = useId();
  const written = useRef(false);
  /** Whether the pointer came down on the backdrop: marking text may end there and is no tap beside the dialog. */
  const downBeside = useRef(false);
  useRootMark('modal');

  // Before the browser paints; closing while still in the document gives the focus back to where it was.
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it; the tap beside it is an extra for pointers.
    <dialog
      aria-describedby={description ? descriptionId : undefined}
      aria-labelledby={titleId}
      className={cn('hw-dialog max-w-none flex-col bg-surface text-ink shadow-float open:flex', className)}
      onCancel={(event) => {
        // A dialog inside, or a file picker that was left, means only itself.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      onClose={({ currentTarget }) => {
        // The browser may close it without asking (a second Escape).
        if (currentTarget.isConnected && !currentTarget.open) onClose();
      }}
      onClick={({ target, currentTarget }) => {
        // Written text is not lost by a stray tap: Escape and the close button remain.
        if (target === currentTarget && downBeside.current && !written.current) onClose();
      }}
      onInput={({ target }) => {
        written.current ||= target instanceof Element && target.matches(TEXT_FIELDS);
      }}
      onPointerDown={({ target, currentTarget }) => {
        downBeside.current = target === currentTarget;
      }}
      ref={ref}
    >
      <div className="flex items-start justify-between gap-4 px-5 pt-5 pb-3">
        <div className="min-w-0">
          <h2 className="font-display font-semibold text-xl" id={titleId}>
            {title}
          </h2>
          {description && (
            <p className="mt-1 text-muted text-sm" id={descriptionId}>
              {description}
            </p>
          )}
        </div>
        <IconButton className="-mt-1.5 -mr-2" icon={X} label="Close" onClick={onClose} />
      </div>
      {children && (
        <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 pt-1 pb-5">{children}</div>
      )}
      {actions && (
        <div className="flex flex-wrap justify-end gap-3 border-line border-t px-5 pt-4 pb-[max(1rem,env(safe-area-inset-bottom))]">
          {actions}
        </div>
      )}
    </dialog>
  );
}

/** A short question in the middle of the screen. */
export function Dialog({ open, ...props }: ModalProps) {
  if (!open) return null;
  return (
    <Modal
      {...props}
      className="fixed inset-0 m-auto h-fit max-h-[calc(100dvh-2rem)] w-[min(28rem,calc(100vw-2rem))] rounded-card"
    />
  );
}

/** A longer piece of work: the whole width from the bottom on a phone, a centred panel from 768 on. */
export function Sheet({ open, full = false, ...props }: ModalProps & { full?: boolean }) {
  if (!open) return null;
  return (
    <Modal
      {...props}
      className={cn(
        'fixed inset-x-0 top-auto bottom-0 m-0 w-full md:inset-0 md:m-auto md:h-fit md:max-h-[calc(100dvh-4rem)] md:w-[min(44rem,calc(100vw-4rem))] md:rounded-card',
        full
          ? 'h-dvh max-h-none pt-safe md:h-[calc(100dvh-4rem)] md:pt-0'
          : 'max-h-[90dvh] rounded-t-sheet md:rounded-card',
      )}
    />
  );
}
