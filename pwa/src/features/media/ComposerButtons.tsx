import { Image, type LucideIcon, Mic, Plus, Video } from 'lucide-react';
import { type RefObject, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { cn, IconButton } from '@/ui';

export type AddItem = { label: string; icon: LucideIcon; onSelect: () => void };

export const MicButton = ({ onClick }: { onClick: () => void }) => (
  <IconButton className="-ms-2" icon={Mic} label="Record a voice message" onClick={onClick} />
);

type AddMenuProps = { onPictures: () => void; onVideo: () => void; more: AddItem[] };

/** A menu of what else can be sent, because a phone has no room for more buttons beside the text field. */
export function AddMenu({ onPictures, onVideo, more }: AddMenuProps) {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  useOutside(box, open, () => setOpen(false));
  const items: AddItem[] = [
    { label: 'Pictures', icon: Image, onSelect: onPictures },
    { label: 'Video message', icon: Video, onSelect: onVideo },
    ...more,
  ];

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes what lies within
    <div
      className="relative shrink-0"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return;
        event.stopPropagation();
        setOpen(false);
        box.current?.querySelector('button')?.focus();
      }}
      ref={box}
    >
      <IconButton
        aria-controls={open ? id : undefined}
        aria-expanded={open}
        className={cn('-ms-1 transition-transform', open && 'rotate-45')}
        icon={Plus}
        label="Add a picture, a video or more"
        onClick={() => setOpen(!open)}
      />
      {open && (
        <ul
          className="absolute bottom-full inset-s-0 z-10 mb-2 w-56 rounded-card border border-line bg-surface p-1.5 shadow-float"
          id={id}
        >
          {items.map(({ label, icon: Icon, onSelect }) => (
            <li key={label}>
              <button
                className="flex min-h-12 w-full items-center gap-3 rounded-control px-3 text-start font-medium hover:bg-raised"
                onClick={() => {
                  setOpen(false);
                  onSelect();
                }}
                type="button"
              >
                <Icon aria-hidden="true" className="size-5 text-ember-strong" />
                {label}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Calls `onOutside` when a press or the focus goes outside of the box, while `isActive`. */
function useOutside(box: RefObject<HTMLElement | null>, isActive: boolean, onOutside: () => void): void {
  const check = useEffectEvent((event: Event) => {
    if (!box.current?.contains(event.target as Node)) onOutside();
  });
  useEffect(() => {
    if (!isActive) return;
    const listening = new AbortController();
    for (const type of ['pointerdown', 'focusin'])
      document.addEventListener(type, (event) => check(event), { signal: listening.signal });
    return () => listening.abort();
  }, [isActive]);
}
