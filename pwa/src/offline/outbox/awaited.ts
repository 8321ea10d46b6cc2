/** The files of the own profile whose results screens wait for. Such a screen says itself what became of its file. */
import { type InSession, part } from '@/base/pageSession.ts';

/** The files that screens of this tab wait for. */
const awaitedOf = part(() => new Set<string>());

/** Whether a screen of this tab waits for the result of a file, and shows it. */
export const isAwaited = (owner: InSession, id: string): boolean => awaitedOf(owner).has(id);

/** Marks a file as awaited by a screen of this tab. Returns a function that ends this. */
export function markAwaited(owner: InSession, id: string): () => void {
  awaitedOf(owner).add(id);
  return () => void awaitedOf(owner).delete(id);
}
