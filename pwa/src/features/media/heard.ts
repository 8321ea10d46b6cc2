/** Which voices were heard on this device, and which one follows. */
import { getDb } from '@/offline/store/db.ts';
import { getMeta, setMeta } from '@/offline/store/meta.ts';

const REMEMBERED = 500;

export async function noteHeard(id: string): Promise<void> {
  const db = getDb();
  await db.transaction('rw', db.meta, async () => {
    const known = await getMeta(db, 'voices:heard');
    if (!known.includes(id)) await setMeta(db, 'voices:heard', [...known, id].slice(-REMEMBERED));
  });
}

type Voice = { id: string; conversationId: string; order: number; play: () => void };
/** The other member's voices that are on the screen. */
const voices = new Set<Voice>();

/** Takes part in what plays one after the other; returns the way to leave. */
export function joinVoices(voice: Voice): () => void {
  voices.add(voice);
  return () => {
    voices.delete(voice);
  };
}

/** The next voice of the same conversation that was not heard yet. */
export function nextUnheard(after: Voice, all: Iterable<Voice>, heard: readonly string[]): Voice | undefined {
  return [...all]
    .filter(({ conversationId, order }) => conversationId === after.conversationId && order > after.order)
    .filter(({ id }) => !heard.includes(id))
    .sort((a, b) => a.order - b.order)[0];
}

export async function playNext(after: Voice): Promise<void> {
  nextUnheard(after, voices, await getMeta(getDb(), 'voices:heard'))?.play();
}
