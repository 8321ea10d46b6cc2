import { useLayoutEffect } from 'react';

type Mark = 'actions' | 'celebration' | 'modal' | 'offline' | 'recording';
const counts = new Map<Mark, number>();

function count(mark: Mark, change: 1 | -1): void {
  const now = (counts.get(mark) ?? 0) + change;
  counts.set(mark, now);
  // With the number, so that whoever watches it notices a second one as well.
  if (now > 0) document.documentElement.setAttribute(`data-${mark}`, String(now));
  else document.documentElement.removeAttribute(`data-${mark}`);
}

/**
 * Says on the root what stands on the screen, for what is styled by it (app.css). `:has()` would need no code, but
 * with one on the root the browser looks through the whole page for each message that comes into sight.
 */
export function useRootMark(mark: Mark, stands = true): void {
  useLayoutEffect(() => {
    if (!stands) return;
    count(mark, 1);
    return () => count(mark, -1);
  }, [mark, stands]);
}
