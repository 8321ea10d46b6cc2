import { ChevronLeft, ChevronRight, Download, X } from 'lucide-react';
import { type RefObject, useId, useLayoutEffect, useRef, useState } from 'react';
import type { Attachment } from '@/api/types.ts';
import { nameOfType, useSaveClick } from '@/media/saveFile.tsx';
import { cn, IconButton, lineKey, lineSign, useRootMark } from '@/ui';
import { pictureLabel } from './pictureLayout.ts';
import { useStoredFile } from './useStoredFile.ts';

type ViewerProps = { pictures: Attachment[]; at: number; possessive: string; onClose: () => void };

/**
 * Shows the pictures of a message full screen: swipe or arrow keys go to the next, a double tap zooms, Escape closes.
 * The pictures are in a row with native scrolling, for native touch behaviour. The row is the first element of the dialog
 * that can have the focus, so that it has it from the start: its keys work at once, and a screen reader says which of the
 * pictures is shown, and not only that there is a button to close them.
 */
export default function Viewer({ pictures, at, possessive, onClose }: ViewerProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const row = useRef<HTMLUListElement>(null);
  const [shown, setShown] = useState(at);
  const counterId = useId();
  useRootMark('modal');
  const count = pictures.length;

  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    if (row.current) showAt(row.current, at, 'instant');
    return () => element?.close();
  }, [at]);

  function scrollToPicture(to: number) {
    if (!row.current || to < 0 || to >= count) return;
    const isReduced = matchMedia('(prefers-reduced-motion: reduce)').matches;
    showAt(row.current, to, isReduced ? 'instant' : 'smooth');
  }

  return (
    <dialog
      aria-label={`${possessive} pictures`}
      className="fixed inset-0 m-0 h-dvh max-h-none w-screen max-w-none bg-photo-shade text-on-photo"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={(event) => {
        const key = lineKey(event.key);
        if (key === 'ArrowLeft') scrollToPicture(shown - 1);
        if (key === 'ArrowRight') scrollToPicture(shown + 1);
      }}
      ref={dialog}
    >
      <Row
        counterId={counterId}
        onShow={setShown}
        pictures={pictures}
        possessive={possessive}
        ref={row}
        shown={shown}
      />
      <TopBar count={count} counterId={counterId} onClose={onClose} picture={pictures[shown]} shown={shown} />
      {count > 1 && <StepButtons count={count} scrollToPicture={scrollToPicture} shown={shown} />}
    </dialog>
  );
}

type RowProps = Pick<ViewerProps, 'pictures' | 'possessive'> & {
  /** The index of the picture in view, or of the one that most of the view shows while it scrolls. */
  shown: number;
  /** The element that says which picture is shown. */
  counterId: string;
  onShow: (index: number) => void;
  ref: RefObject<HTMLUListElement | null>;
};

function Row({ pictures, possessive, shown, counterId, onShow, ref }: RowProps) {
  return (
    <ul
      aria-describedby={counterId}
      className="flex h-full snap-x snap-mandatory overflow-x-auto overscroll-contain [scrollbar-width:none]"
      onScroll={({ currentTarget: { scrollLeft, clientWidth } }) =>
        onShow(Math.round(Math.abs(scrollLeft) / Math.max(1, clientWidth)))
      }
      ref={ref}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: so that the keyboard can scroll it
      tabIndex={0}
    >
      {pictures.map((picture, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order is fixed, and the id changes when the picture is sent
        <li className="h-full w-full shrink-0 snap-center" key={index}>
          <Slide
            label={pictureLabel(possessive, index, pictures.length)}
            near={Math.abs(index - shown) < 2}
            picture={picture}
          />
        </li>
      ))}
    </ul>
  );
}

/** Scrolls a row to a picture. From right to left, positions are negative. */
const showAt = (row: HTMLElement, index: number, behavior: ScrollBehavior) =>
  row.scrollTo({ left: lineSign() * index * row.clientWidth, behavior });

type TopBarProps = {
  picture: Attachment | undefined;
  shown: number;
  count: number;
  counterId: string;
  onClose: () => void;
};

function TopBar({ picture, shown, count, counterId, onClose }: TopBarProps) {
  return (
    <div className="absolute inset-x-0 top-0 flex items-center gap-2 px-safe pt-[max(8px,env(safe-area-inset-top))]">
      <IconButton icon={X} label="Close" onClick={onClose} tone="photo" />
      <p aria-live="polite" className="flex-1 text-center text-sm tabular-nums" id={counterId}>
        {count > 1 && `${shown + 1} of ${count}`}
      </p>
      {picture && <SaveLink key={shown} number={shown + 1} picture={picture} />}
    </div>
  );
}

/** Saves a picture: what the server has or, until it is sent, the bytes on this device, which have another type. */
function SaveLink({ picture, number }: { picture: Attachment; number: number }) {
  const stored = useStoredFile(picture, !picture.url);
  const { url, mimeType } = !picture.url && stored.state === 'stored' ? stored : picture;
  const name = nameOfType(`heartward-picture-${number}`, mimeType);
  const onSave = useSaveClick(url, name);
  return (
    <a
      aria-label="Save picture"
      className={cn('grid size-11 place-items-center rounded-full bg-scrim', !url && 'invisible')}
      download={name}
      href={url || undefined}
      onClick={onSave}
    >
      <Download aria-hidden="true" className="size-5.5" />
    </a>
  );
}

/** Buttons to the next and the previous picture, for a mouse. */
function StepButtons({
  shown,
  count,
  scrollToPicture,
}: {
  shown: number;
  count: number;
  scrollToPicture: (to: number) => void;
}) {
  return (
    <div className="pointer-events-none absolute inset-x-2 top-1/2 hidden -translate-y-1/2 justify-between md:flex">
      <StepButton
        icon={ChevronLeft}
        label="Previous picture"
        onClick={() => scrollToPicture(shown - 1)}
        hidden={shown === 0}
      />
      <StepButton
        icon={ChevronRight}
        label="Next picture"
        onClick={() => scrollToPicture(shown + 1)}
        hidden={shown === count - 1}
      />
    </div>
  );
}

type StepButtonProps = { icon: typeof X; label: string; onClick: () => void; hidden: boolean };

const StepButton = ({ icon, label, onClick, hidden }: StepButtonProps) => (
  <IconButton
    className={cn('pointer-events-auto', hidden && 'invisible')}
    icon={icon}
    label={label}
    onClick={onClick}
    tone="photo"
  />
);

type SlideProps = { picture: Attachment; label: string; near: boolean };

/** One picture. A double tap zooms in, so that it can be scrolled, and another one zooms out. */
function Slide({ picture, label, near }: SlideProps) {
  const stored = useStoredFile(picture);
  const [zoomed, setZoomed] = useState(false);
  const url = stored.state === 'stored' ? stored.url : picture.url;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: zooming is an extra for pointers; with the keyboard the browser zooms
    <div
      className={cn('size-full touch-manipulation', zoomed && 'overflow-auto overscroll-contain')}
      onDoubleClick={() => setZoomed(!zoomed)}
    >
      {near && url && (
        <img
          alt={label}
          className={cn('object-contain', zoomed ? 'h-[250%] w-[250%] max-w-none' : 'size-full')}
          draggable={false}
          src={url}
        />
      )}
    </div>
  );
}
