import { ChevronLeft, ChevronRight, Download, X } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import type { Attachment } from '@/api/types.ts';
import { cn, IconButton, useRootMark } from '@/ui';
import { useKept } from './useKept.ts';

type ViewerProps = { pictures: Attachment[]; at: number; whose: string; onClose: () => void };

/**
 * The pictures of a message over the whole screen: swipe or arrow keys from one to the next, a double tap comes
 * closer, Escape closes. The pictures lie side by side and the browser itself scrolls, so fingers feel at home.
 */
export default function Viewer({ pictures, at, whose, onClose }: ViewerProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const row = useRef<HTMLUListElement>(null);
  const [place, setPlace] = useState(at);
  useRootMark('modal');
  const count = pictures.length;

  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    row.current?.scrollTo({ left: at * (row.current.clientWidth || 0), behavior: 'instant' });
    return () => current?.close();
  }, [at]);

  function go(to: number) {
    const { current } = row;
    if (!current || to < 0 || to >= count) return;
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    current.scrollTo({ left: to * current.clientWidth, behavior: still ? 'instant' : 'smooth' });
  }

  return (
    <dialog
      aria-label={`${whose} pictures`}
      className="fixed inset-0 m-0 h-dvh max-h-none w-screen max-w-none bg-photo-shade text-on-photo"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={({ key }) => {
        if (key === 'ArrowLeft') go(place - 1);
        if (key === 'ArrowRight') go(place + 1);
      }}
      ref={dialog}
    >
      <ul
        className="flex h-full snap-x snap-mandatory overflow-x-auto overscroll-contain [scrollbar-width:none]"
        onScroll={({ currentTarget: { scrollLeft, clientWidth } }) =>
          setPlace(Math.round(scrollLeft / Math.max(1, clientWidth)))
        }
        ref={row}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: so that the keyboard can scroll it
        tabIndex={0}
      >
        {pictures.map((picture, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a picture keeps its place, its number changes when it is sent
          <li className="h-full w-full shrink-0 snap-center" key={index}>
            <Slide
              label={`${whose} picture ${index + 1} of ${count}`}
              near={Math.abs(index - place) < 2}
              picture={picture}
            />
          </li>
        ))}
      </ul>
      <TopBar count={count} onClose={onClose} picture={pictures[place]} place={place} />
      {count > 1 && <Steps count={count} go={go} place={place} />}
    </dialog>
  );
}

type TopBarProps = { picture: Attachment | undefined; place: number; count: number; onClose: () => void };

function TopBar({ picture, place, count, onClose }: TopBarProps) {
  // One that waits to be sent has no address yet.
  const address = picture?.url || undefined;
  return (
    <div className="absolute inset-x-0 top-0 flex items-center gap-2 px-safe pt-[max(8px,env(safe-area-inset-top))]">
      <IconButton autoFocus icon={X} label="Close" onClick={onClose} tone="photo" />
      <p aria-live="polite" className="flex-1 text-center text-sm tabular-nums">
        {count > 1 && `${place + 1} of ${count}`}
      </p>
      <a
        aria-label="Save picture"
        className={cn('grid size-11 place-items-center rounded-full bg-scrim', !address && 'invisible')}
        download={`heartward-picture-${place + 1}`}
        href={address}
      >
        <Download aria-hidden="true" className="size-5.5" strokeWidth={1.75} />
      </a>
    </div>
  );
}

/** One picture on or back, for pointers; fingers swipe and keys have their arrows. */
function Steps({ place, count, go }: { place: number; count: number; go: (to: number) => void }) {
  return (
    <div className="pointer-events-none absolute inset-x-2 top-1/2 hidden -translate-y-1/2 justify-between md:flex">
      <Step icon={ChevronLeft} label="Picture before" onClick={() => go(place - 1)} unable={place === 0} />
      <Step
        icon={ChevronRight}
        label="Next picture"
        onClick={() => go(place + 1)}
        unable={place === count - 1}
      />
    </div>
  );
}

type StepProps = { icon: typeof X; label: string; onClick: () => void; unable: boolean };

const Step = ({ icon, label, onClick, unable }: StepProps) => (
  <IconButton
    className={cn('pointer-events-auto', unable && 'invisible')}
    icon={icon}
    label={label}
    onClick={onClick}
    tone="photo"
  />
);

type SlideProps = { picture: Attachment; label: string; near: boolean };

/** One picture; a double tap shows it larger, to be moved with the finger, and another one whole again. */
function Slide({ picture, label, near }: SlideProps) {
  const kept = useKept(picture);
  const [close, setClose] = useState(false);
  const url = kept.state === 'kept' ? kept.url : picture.url;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: coming closer is an extra for pointers; the browser zooms for keys
    <div
      className={cn('size-full touch-manipulation', close && 'overflow-auto overscroll-contain')}
      onDoubleClick={() => setClose(!close)}
    >
      {near && url && (
        <img
          alt={label}
          className={cn('object-contain', close ? 'h-[250%] w-[250%] max-w-none' : 'size-full')}
          draggable={false}
          src={url}
        />
      )}
    </div>
  );
}
