import type { KeyboardEvent } from 'react';
import type { Decision } from './gesture.ts';

/** Elements that handle keys themselves. */
const KEY_HANDLERS = 'input, textarea, select, [role="tab"]';
const ACTIONS: Record<string, Decision | 'undo'> = {
  ArrowRight: 'like',
  ArrowLeft: 'pass',
  s: 'super_like',
  z: 'undo',
};

/**
 * Returns the action of a key pressed while the focus is in the deck, or null. A key that repeats acts once. Ctrl+Z and
 * Cmd+Z undo as Z does.
 */
export function deckActionOf(event: KeyboardEvent): Decision | 'undo' | null {
  const { key, repeat, altKey, shiftKey, ctrlKey, metaKey, target } = event;
  if (event.defaultPrevented || repeat || altKey || shiftKey) return null;
  if (target instanceof Element && target.closest(KEY_HANDLERS)) return null;
  const action = ACTIONS[key.length === 1 ? key.toLowerCase() : key] ?? null;
  return (ctrlKey || metaKey) && action !== 'undo' ? null : action;
}
