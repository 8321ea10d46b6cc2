import type { KeyboardEvent } from 'react';
import type { Decision } from './gesture.ts';

const OWN_KEYS = 'input, textarea, select, [role="tab"]';
const meanings: Record<string, Decision | 'undo'> = {
  ArrowRight: 'like',
  ArrowLeft: 'pass',
  s: 'super_like',
  z: 'undo',
};

/**
 * Returns what a key means that was pressed while the focus is within the deck, null when nothing: keys that are held
 * down decide once, and the arrow keys that scroll a page decide nothing. Z is also the system's own undo.
 */
export function deckKeyOf(event: KeyboardEvent): Decision | 'undo' | null {
  const { key, repeat, altKey, shiftKey, ctrlKey, metaKey, target } = event;
  if (event.defaultPrevented || repeat || altKey || shiftKey) return null;
  if (target instanceof Element && target.closest(OWN_KEYS)) return null;
  const meaning = meanings[key.length === 1 ? key.toLowerCase() : key] ?? null;
  return (ctrlKey || metaKey) && meaning !== 'undo' ? null : meaning;
}
