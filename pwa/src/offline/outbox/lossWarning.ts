/** A warning before a page is left that has unsent items in memory, on a device that keeps nothing. */
import { liveQuery } from 'dexie';
import { keepsNothing } from '@/base/storage.ts';
import type { HeartwardDb } from '../store/db.ts';
import { findUnsent } from './unsent.ts';
import { listUnsent } from './unsentWords.ts';

/** Makes the browser ask before the page is left while something is unsent. Returns a function that stops it. */
export function warnBeforeLoss(db: HeartwardDb): () => void {
  const ask = (event: BeforeUnloadEvent) => {
    // Not after the member has chosen to discard it.
    if (keepsNothing()) event.preventDefault();
  };
  const query = liveQuery(() => findUnsent(db)).subscribe((unsent) => {
    // The listener keeps the page out of the back/forward cache, so it is added only while it is needed.
    if (listUnsent(unsent)) addEventListener('beforeunload', ask);
    else removeEventListener('beforeunload', ask);
  });
  return () => {
    query.unsubscribe();
    removeEventListener('beforeunload', ask);
  };
}
