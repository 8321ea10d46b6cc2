import { startTransition, useEffect, useState } from 'react';

/** The steps in which a first page is drawn. What a device has beyond it is drawn at once, for the scroll position. */
const STEPS = 4;

/**
 * Returns the first `step` rows when a list is drawn for the first time, and `step` more after each drawing: a page drawn
 * at once would block a slow phone. After four steps it returns all rows.
 */
export function useFirstRows<Row>(rows: Row[], step: number): Row[] {
  const [count, setCount] = useState(step);
  useEffect(() => {
    if (count === Number.POSITIVE_INFINITY) return;
    startTransition(() => setCount(count < STEPS * step ? count + step : Number.POSITIVE_INFINITY));
  }, [count, step]);
  return count < rows.length ? rows.slice(0, count) : rows;
}
