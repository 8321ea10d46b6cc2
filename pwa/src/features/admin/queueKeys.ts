/** The keyboard shortcuts of the admin screens. */
import { useEffectEvent, useLayoutEffect } from 'react';
import { storageKeys } from '@/base/storage.ts';

type Keys = Record<string, (() => void) | undefined>;

/** Elements in which a key enters text or chooses a value. */
const TEXT_FIELDS = 'input:not([type=checkbox], [type=radio]), textarea, select, dialog';

export const areKeysOn = () => localStorage.getItem(storageKeys.adminKeys) !== 'off';

export function setKeysOn(on: boolean): void {
  if (on) localStorage.removeItem(storageKeys.adminKeys);
  else localStorage.setItem(storageKeys.adminKeys, 'off');
}

/**
 * Returns the key of an event, or null if it is no command: with modifiers, in a text field or dialog, or a single
 * character while those are turned off. They are what speech input types by mistake; Escape stays.
 */
export function commandOf(event: KeyboardEvent): string | null {
  const { key, altKey, ctrlKey, metaKey, target, defaultPrevented } = event;
  if (defaultPrevented || altKey || ctrlKey || metaKey) return null;
  if (key.length === 1 && !areKeysOn()) return null;
  if (target instanceof Element && target.closest(TEXT_FIELDS)) return null;
  if (document.querySelector('dialog[open]')) return null;
  return key.length === 1 ? key.toLowerCase() : key;
}

/** Runs a function for each of these keys while the component is shown. */
export function useKeys(keys: Keys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const action = keys[commandOf(event) ?? ''];
    if (!action) return;
    event.preventDefault();
    action();
  });
  // Before the first picture, so that a key pressed right after it is not lost.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
}

/** Moves the focus to the next row of the list, or to the previous one. Rows are links with `data-row`. */
export function moveToRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const focused = rows.indexOf(document.activeElement as HTMLElement);
  const open = rows.findIndex((row) => row.hasAttribute('aria-current'));
  const from = focused >= 0 ? focused : open;
  const target = from < 0 ? rows[0] : rows[from + step];
  target?.focus();
  target?.scrollIntoView({ block: 'nearest' });
}
