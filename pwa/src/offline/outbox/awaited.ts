/** The files of the own profile whose results screens wait for. Such a screen says itself what became of its file. */
import { type InSession, part } from '@/base/pageSession.ts';

/** The files that screens of this tab wait for. */
const awaitedOf = part(() => new Set<string>());

/** A Web Lock that the tab holds whose screen waits for a file. A tab that is closed releases it. */
const lockName = (id: string) => `hw-awaited-${id}`;

/** How long a tab holds the lock after it has shown a result: the others look for it when they receive the result. */
const RELEASE_DELAY_MS = 2000;

/** Whether a screen of this tab waits for the result of a file, and shows it. */
export const isAwaited = (owner: InSession, id: string): boolean => awaitedOf(owner).has(id);

/** Whether a screen of another tab waits for the result of a file, or has just shown it. */
export async function isAwaitedElsewhere(id: string): Promise<boolean> {
  // Only secure contexts have locks.
  const locks = await navigator.locks?.query();
  return locks?.held?.some(({ name }) => name === lockName(id)) ?? false;
}

/**
 * Marks a file as awaited by a screen of this tab. Returns a function that ends this, called with whether the screen
 * has shown the result.
 */
export function markAwaited(owner: InSession, id: string): (isShown: boolean) => void {
  awaitedOf(owner).add(id);
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  void navigator.locks?.request(lockName(id), {}, () => released).catch(() => undefined);
  return (isShown) => {
    awaitedOf(owner).delete(id);
    if (isShown) setTimeout(release, RELEASE_DELAY_MS);
    else release();
  };
}
