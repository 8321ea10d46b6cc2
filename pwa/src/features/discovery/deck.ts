import { useEffect, useState } from 'react';
import type { InSession } from '@/base/pageSession.ts';
import type { LikeNote } from '@/domain/decide.ts';
import { useDb, useLive } from '@/offline/store/cached.ts';
import { whenIdle } from '@/offline/store/idle.ts';
import { purgedSince } from '@/offline/store/purge.ts';
import type { FeedRow } from '@/offline/store/rows.ts';
import { fetchNextCandidates, useFeed } from './feed.ts';
import type { Decision, Point } from './gesture.ts';
import { like, pass, undoLastPass } from './likeAndPass.ts';
import { pictureState, storeThumbs, usePrefetchedPictures } from './prefetchedPictures.ts';
import { readPasses } from './undoablePasses.ts';

/** The number of cards drawn: the top card and two behind it. */
const STACK = 3;
/** The number of cards behind the top one whose first photo is prefetched and decoded. */
const PREFETCHED = 5;
/** The number of cards, including the prefetched ones, that have a stored picture for offline use. */
const STORED_THUMBS = 60;
/** Below this number of cards the next page is fetched, so that the deck does not run out while swiping. */
const REFILL_BELOW = 20;

/** The sizes that the end of an exit depends on, in pixels. */
export type ExitSizes = { card: Point; viewport: Point };

/** A card that leaves the stack. */
export type Exiting = { row: FeedRow; decision: Decision; sizes: ExitSizes; velocity: Point };

/** Returns the cards in order: the visible ones first, so that a refresh does not move them, then the others by rank. */
export function arrange(visibleIds: readonly string[], rows: readonly FeedRow[]): FeedRow[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const first = visibleIds.flatMap((id) => byId.get(id) ?? []);
  const firstIds = new Set(first.map((row) => row.id));
  return [...first, ...rows.filter((row) => !firstIds.has(row.id))];
}

/** Adds returned cards that the live query has not emitted yet, except those of members blocked since. */
export function withReturned(
  owner: InSession,
  returned: readonly FeedRow[],
  rows: readonly FeedRow[],
): FeedRow[] {
  const presentIds = new Set(rows.map((row) => row.id));
  const missing = returned.filter(
    ({ id, fetchedAt }) => !presentIds.has(id) && !purgedSince(owner, id, fetchedAt),
  );
  return [...missing, ...rows];
}

const firstPhoto = ({ candidate }: FeedRow) => candidate.photos[0];

/** Returns the cards to draw: from the top up to the first without a picture. */
export function drawableCards(cards: readonly FeedRow[], ready: (row: FeedRow) => boolean): FeedRow[] {
  const stack = cards.slice(0, STACK);
  const missing = stack.findIndex((row) => !ready(row));
  return missing < 0 ? stack : stack.slice(0, missing);
}

const hasPicture = (owner: InSession, row: FeedRow) => {
  const photo = firstPhoto(row);
  return !photo || pictureState(owner, photo) !== null;
};

const without = (ids: ReadonlySet<string>, id: string) => new Set([...ids].filter((other) => other !== id));

/** Fetches the next page when few cards are left, and refreshes the feed when all of them were decided on. */
function useRefill({ data, refresh }: ReturnType<typeof useFeed>, left: number, hasDecided: boolean): void {
  const db = useDb();
  const needsMore = left < REFILL_BELOW && data?.next != null;
  useEffect(() => {
    // Offline there are no more cards; the next refresh continues.
    if (needsMore)
      void whenIdle()
        .then(() => fetchNextCandidates(db, 'forYou'))
        .catch(() => undefined);
  }, [needsMore, db]);

  const isUsedUp = left === 0 && hasDecided;
  useEffect(() => {
    if (isUsedUp) void refresh();
  }, [isUsedUp, refresh]);
}

/** The cards in the order of the stack, without those that the member has decided on. `rows` are those of the feed. */
function useStack(rows: readonly FeedRow[]) {
  const db = useDb();
  const [visibleIds, setVisibleIds] = useState<string[]>([]);
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set());
  const [returned, setReturned] = useState<FeedRow[]>([]);

  // The live query emits a moment after a decision, so decided cards are filtered here too.
  const all = withReturned(db, returned, rows);
  const cards = arrange(
    visibleIds,
    all.filter((row) => !decided.has(row.id)),
  );
  const seen = cards.slice(0, STACK).map((row) => row.id);
  if (seen.join() !== visibleIds.join()) setVisibleIds(seen);

  return {
    cards,
    decidedCount: decided.size,
    /** Takes a card away that was decided on. */
    remove: (id: string) => setDecided((before) => new Set(before).add(id)),
    putBack: (id: string) => setDecided((before) => without(before, id)),
    /** Shows a card first that was put back by an undo. */
    putOnTop(row: FeedRow) {
      setReturned((before) => [...before.filter(({ id }) => id !== row.id), row]);
      setVisibleIds((before) => [row.id, ...before.filter((id) => id !== row.id)]);
    },
    isReturned: (id: string) => returned.some((row) => row.id === id),
    reset() {
      setVisibleIds([]);
      setDecided(new Set());
      setReturned([]);
    },
  };
}

/** The cards that are leaving the stack. */
function useExits() {
  const [exiting, setExiting] = useState<Exiting[]>([]);
  const others = (cards: Exiting[], id: string) => cards.filter(({ row }) => row.id !== id);
  return {
    exiting,
    startExit: (exit: Exiting) => setExiting((before) => [...others(before, exit.row.id), exit]),
    removeExited: (id: string) => setExiting((before) => others(before, id)),
  };
}

/** Fetches the pictures of the next cards. Returns the cards to draw. */
function useShown(cards: readonly FeedRow[]): FeedRow[] {
  const db = useDb();
  usePrefetchedPictures(cards.slice(0, 1 + PREFETCHED).map(firstPhoto), STACK);
  const shown = drawableCards(cards, (row) => hasPicture(db, row));
  useStoreThumbs(cards, shown.length > 0);
  return shown;
}

type Remaining = NonNullable<ReturnType<typeof useFeed>['data']>['remaining'];

/** Returns "N of M" of the top card, among those decided on since the last restart and all remaining. */
const progressOf = (decided: number, left: number, remaining: Remaining | undefined) => ({
  position: decided + 1,
  total: decided + left + (remaining?.count ?? 0),
  /** Whether there are more candidates than `total`. */
  more: remaining?.more ?? false,
});

/** The state of the deck: its cards, the exiting cards, and functions that decide and undo. */
export function useDeck() {
  const db = useDb();
  const feed = useFeed('forYou');
  const { exiting, startExit, removeExited } = useExits();
  const lastPass = useLive(async (db) => (await readPasses(db)).at(-1)?.rows[0]?.candidate ?? null);
  const stack = useStack(feed.data?.rows ?? []);
  const { cards, decidedCount } = stack;

  const shown = useShown(cards);

  // The first card's picture comes before the next page.
  const isDrawn = cards.length === 0 || shown.length > 0;
  useRefill(feed, isDrawn ? cards.length : Infinity, decidedCount > 0);

  const returnCard = (id: string) => {
    removeExited(id);
    stack.putBack(id);
  };

  function commit(decision: Decision, sizes: ExitSizes, velocity: Point = { x: 0, y: 0 }, note?: LikeNote) {
    const row = shown[0];
    if (!row) return;
    stack.remove(row.id);
    startExit({ row, decision, sizes, velocity });
    const stored =
      decision === 'pass' ? pass(db, row.candidate) : like(db, row.candidate, decision, 'deck', note);
    stored.catch(() => returnCard(row.id));
  }

  /** Puts the last passed card on top again; resolves with its member. */
  async function undo() {
    const row = await undoLastPass(db);
    if (!row) return null;
    returnCard(row.id);
    stack.putOnTop(row);
    return row.candidate;
  }

  return {
    feed,
    cards,
    shown,
    exiting,
    commit,
    undo,
    /** The member whose pass undo would revert, or null. */
    lastPass: lastPass ?? null,
    /** Whether a card was returned by undo and enters from the side. */
    isReturned: stack.isReturned,
    removeExited,
    ...progressOf(decidedCount, cards.length, feed.data?.remaining),
    /** Refreshes the feed and starts again at its first card. */
    async restart() {
      const result = await feed.refresh();
      stack.reset();
      return result;
    },
  };
}

export type DeckState = ReturnType<typeof useDeck>;

/** Fetches the thumbnails of the other cards for offline use, after the visible cards are drawn. */
function useStoreThumbs(cards: readonly FeedRow[], started: boolean): void {
  const db = useDb();
  const last = cards.at(-1)?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the last card changes
  useEffect(() => {
    if (started) void storeThumbs(db, cards.slice(1 + PREFETCHED, STORED_THUMBS).map(firstPhoto));
  }, [started, last]);
}
