import { type RefObject, useEffect } from 'react';

const ENDS = ['touchend', 'touchcancel'] as const;

/**
 * Repeats on the box the end of a touch whose row was removed while it scrolled. The events of a touch go to the
 * element it began on and from a removed one do not bubble, so the virtual list would count the finger as down
 * and let its rows take no taps until the next touch ends.
 */
export function useTouchEnds(box: RefObject<HTMLElement | null>): void {
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
