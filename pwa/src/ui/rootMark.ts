import { useLayoutEffect } from 'react';

type RootMark =
  | 'actions'
  | 'admin'
  | 'banners'
  | 'celebration'
  | 'deck'
  | 'guided'
  | 'modal'
  | 'offline'
  | 'recording'
  | 'thread';
const counts = new Map<RootMark, number>();

function changeCount(mark: RootMark, change: 1 | -1): void {
  const total = (counts.get(mark) ?? 0) + change;
  counts.set(mark, total);
  // The value is the number, so that a MutationObserver also sees a second one.
  if (total > 0) document.documentElement.setAttribute(`data-${mark}`, String(total));
  else document.documentElement.removeAttribute(`data-${mark}`);
}

/**
 * Sets an attribute on the root element while something is on the screen, for styles in app.css and for code that
 * observes it. `:has()` on the root would need no code for the styles, but makes the browser search the whole page for
 * each message that is drawn.
 */
export function useRootMark(mark: RootMark, active = true): void {
  useLayoutEffect(() => {
    if (!active) return;
    changeCount(mark, 1);
    return () => changeCount(mark, -1);
  }, [mark, active]);
}
