/** The voice messages that were played on this device, and the next one for autoplay. */
import { type InSession, part } from '@/base/pageSession.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { getMeta, setMeta } from '@/offline/store/meta.ts';

const MAX_STORED = 500;

export async function markPlayed(db: HeartwardDb, id: string): Promise<void> {
  await db.transaction('rw', db.meta, async () => {
    const playedIds = await getMeta(db, 'voices:heard');
    if (!playedIds.includes(id)) await setMeta(db, 'voices:heard', [...playedIds, id].slice(-MAX_STORED));
  });
}

/** Where a message is: a later one of a conversation has a higher order. */
type Position = { conversationId: string; order: number };

type Voice = Position & { id: string; play: () => void };

/** The received voice messages on the screen. */
const voicesOf = part(() => new Set<Voice>());

/** Registers a voice message for autoplay; returns a function that unregisters it. */
export function registerVoice(owner: InSession, voice: Voice): () => void {
  const voices = voicesOf(owner);
  voices.add(voice);
  return () => {
    voices.delete(voice);
  };
}

/** Returns the next unplayed voice message of the same conversation. */
export function nextUnplayed(
  after: Position,
  all: Iterable<Voice>,
  played: readonly string[],
): Voice | undefined {
  return [...all]
    .filter(({ conversationId, order }) => conversationId === after.conversationId && order > after.order)
    .filter(({ id }) => !played.includes(id))
    .sort((a, b) => a.order - b.order)[0];
}

export async function playNext(db: HeartwardDb, after: Position): Promise<void> {
  nextUnplayed(after, voicesOf(db), await getMeta(db, 'voices:heard'))?.play();
}
