import { type RefObject, useEffect } from 'react';

const ENDS = ['touchend', 'touchcancel'] as const;

/**
 * Dispatches the end of a touch on the box when the touched row was removed while scrolling. Touch events go to the
 * element where the touch began, and from a removed one they do not bubble, so the virtual list would count the finger
 * as down and ignore taps on its rows until the next touch ends.
 */
export function useTouchEndRepeat(box: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current } = box;
    if (!current) return;
    const begin = ({ target }: TouchEvent) => {
      const ended = new AbortController();
      const repeat = (event: Event) => {
        ended.abort();
        if (!current.contains(target as Node)) current.dispatchEvent(new Event(event.type));
      };
      for (const type of ENDS) target?.addEventListener(type, repeat, { signal: ended.signal });
    };
    current.addEventListener('touchstart', begin, { passive: true });
    return () => current.removeEventListener('touchstart', begin);
  }, [box]);
}
