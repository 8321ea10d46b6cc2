import { useEffect, useEffectEvent } from 'react';

/** A key typed into a field or a dialog, or held down, is not meant for the deck. */
export function meantForDeck(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.repeat || event.altKey) return false;
  if (document.querySelector('dialog[open]')) return false;
  return !(event.target instanceof Element && event.target.closest('input, textarea, select, [role="tab"]'));
}

/** Z, alone or as the system's own undo. */
export function useUndoKey(undo: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'z' || event.shiftKey || !meantForDeck(event)) return;
    event.preventDefault();
    undo();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}
