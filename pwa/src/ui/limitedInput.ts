import { toastError } from './Toaster.tsx';

/**
 * Refuses to insert a text that a field cannot hold whole, and says so: browsers insert its beginning and drop the rest,
 * also within an emoji. Fields have the limit in `maxLength`. Typing at the limit is the browser's to refuse.
 */
export function refuseLongInput(target: EventTarget = window): () => void {
  const check = (event: Event) => {
    const tooMany = event instanceof InputEvent ? countTooMany(event) : 0;
    if (tooMany <= 0) return;
    event.preventDefault();
    toastError(
      `${tooMany} ${tooMany === 1 ? 'character does' : 'characters do'} not fit into this field. Shorten the text and try again.`,
      'Nothing was inserted',
    );
  };
  target.addEventListener('beforeinput', check);
  return () => target.removeEventListener('beforeinput', check);
}

/** Returns by how many UTF-16 units the field would be longer than its limit. */
function countTooMany({ target: field, data, dataTransfer, isComposing }: InputEvent): number {
  if (!(field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement)) return 0;
  if (field.maxLength < 0 || isComposing) return 0;
  const inserted = data ?? dataTransfer?.getData('text/plain') ?? '';
  if (inserted.length < 2) return 0;
  const replaced = (field.selectionEnd ?? 0) - (field.selectionStart ?? 0);
  return field.value.length - replaced + inserted.length - field.maxLength;
}
