import { startTransition, useEffect, useState } from 'react';

/** Returns the first rows when a list is drawn for the first time, and all when the browser has drawn these. */
export function useFirstRows<Row>(rows: Row[], count: number): Row[] {
  const [all, setAll] = useState(false);
  useEffect(() => startTransition(() => setAll(true)), []);
  return all ? rows : rows.slice(0, count);
}
