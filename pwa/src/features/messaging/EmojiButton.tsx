import { Smile } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { createPortal } from 'react-dom';
import { IconButton, useMediaQuery } from '@/ui';
import { EmojiSheet } from './EmojiSheet.tsx';

type EmojiButtonProps = {
  field: RefObject<HTMLTextAreaElement | null>;
  /** Writes the text of the field. */
  onWrite: (text: string) => void;
};

/** Puts an emoji where the caret is. Only on desks: the keyboard of a phone has emoji. */
export function EmojiButton({ field, onWrite }: EmojiButtonProps) {
  const [open, setOpen] = useState(false);
  const isDesk = useMediaQuery('(min-width: 768px) and (pointer: fine)');
  if (!isDesk) return null;

  function insert(emoji: string) {
    setOpen(false);
    if (!field.current) return;
    const { value, selectionStart, selectionEnd } = field.current;
    onWrite(value.slice(0, selectionStart) + emoji + value.slice(selectionEnd));
    const caret = selectionStart + emoji.length;
    // After the dialog has given the focus back, and the field has the new text.
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(caret, caret);
    });
  }

  return (
    <>
      <IconButton
        aria-haspopup="dialog"
        className="-ms-2"
        icon={Smile}
        label="Add an emoji"
        onClick={() => setOpen(true)}
      />
      {/* Outside of the composer's form, which Enter in the search field would send. */}
      {open &&
        createPortal(
          <EmojiSheet onClose={() => setOpen(false)} onPick={insert} title="Add an emoji" />,
          document.body,
        )}
    </>
  );
}
