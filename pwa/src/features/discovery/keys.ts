import { useEffect, useEffectEvent } from 'react';
import type { Decision } from './gesture.ts';

const NOT_THE_DECK = 'input, textarea, select, [role="tab"], [data-own-keys]';
const decisions: Record<string, Decision> = { ArrowRight: 'like', ArrowLeft: 'pass', ArrowUp: 'super_like' };

/** Beside the deck, and scrolled with the arrow keys: what is pressed in there stays there. */
export const OWN_KEYS = { 'data-own-keys': '' };

/** A key typed into a field, a dialog or a part with keys of its own, or held down, is not meant for the deck. */
function meantForDeck(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.repeat || event.altKey) return false;
  if (document.querySelector('dialog[open]')) return false;
  return !(event.target instanceof Element && event.target.closest(NOT_THE_DECK));
}

function useKey(onKey: (event: KeyboardEvent) => void): void {
  const heard = useEffectEvent(onKey);
  useEffect(() => {
    const listener = (event: KeyboardEvent) => heard(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}

/** The arrow keys decide. */
export function useDecisionKeys(decide: (decision: Decision) => void): void {
  useKey((event) => {
    const decision = decisions[event.key];
    if (!decision || !meantForDeck(event) || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    decide(decision);
  });
}

/** Z, alone or as the system's own undo. */
export function useUndoKey(undo: () => void): void {
  useKey((event) => {
    if (event.key.toLowerCase() !== 'z' || event.shiftKey || !meantForDeck(event)) return;
    event.preventDefault();
    undo();
  });
}
