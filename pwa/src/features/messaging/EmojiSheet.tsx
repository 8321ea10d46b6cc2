import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { Sheet, Skeleton } from '@/ui';
import { lastEmoji } from './emoji.ts';

type EmojiSheetProps = { title: string; onPick: (emoji: string) => void; onClose: () => void };

type PickerProps = { onPick: (emoji: string) => void };

/** The picker of emoji, which is loaded when it is first opened. While it is not, as offline, any emoji can be typed. */
export function EmojiSheet({ title, onPick, onClose }: EmojiSheetProps) {
  const [loaded, setLoaded] = useState<{ Picker: ComponentType<PickerProps> | null }>();
  useEffect(() => {
    let isOpen = true;
    import('./EmojiPicker.tsx').then(
      (module) => isOpen && setLoaded({ Picker: module.default }),
      () => isOpen && setLoaded({ Picker: null }),
    );
    return () => {
      isOpen = false;
    };
  }, []);
  let content: ReactNode = <Skeleton className="h-[min(26rem,58dvh)]" />;
  if (loaded) content = loaded.Picker ? <loaded.Picker onPick={onPick} /> : <TypedEmoji onPick={onPick} />;
  return (
    <Sheet onClose={onClose} open title={title}>
      {content}
    </Sheet>
  );
}

/** A field for any emoji, with the keyboard of the device. */
function TypedEmoji({ onPick }: PickerProps) {
  return (
    <>
      <p className="text-muted" role="status">
        The list of emoji could not be loaded. You can type one.
      </p>
      <input
        aria-label="Any emoji"
        autoComplete="off"
        className="mt-3 h-12 w-full rounded-control border border-control bg-surface px-4 text-base text-ink"
        onChange={({ target }) => {
          const emoji = lastEmoji(target.value);
          if (emoji) onPick(emoji);
        }}
        placeholder="Any emoji"
      />
    </>
  );
}
