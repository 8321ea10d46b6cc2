import { useLive } from '@/offline/store/cached.ts';

const NOBODY: ReadonlySet<string> = new Set();

/** Returns the ids of the members to whom a request was sent that waits for an answer. */
export function useRequested(): ReadonlySet<string> {
  const ids = useLive(async (db) => {
    const sent = await db.conversations.filter(({ request }) => request === 'sent').toArray();
    return new Set(sent.map(({ userId }) => userId));
  });
  return ids ?? NOBODY;
}
