import { useEffect, useState } from 'react';
import { useLive } from '@/offline/store/cached.ts';
import { getDb } from '@/offline/store/db.ts';
import { purgedSince } from '@/offline/store/purge.ts';
import type { FeedRow } from '@/offline/store/rows.ts';
import { type LikeNote, like, pass, undoPass } from './decide.ts';
import { continueFeed, useFeed } from './feed.ts';
import type { Decision, Point } from './gesture.ts';
import { readPasses } from './passes.ts';
import { pictureOf, usePictures, warm } from './pictures.ts';

/** How many cards are drawn: the one in hand and two behind it. */
const STACK = 3;
/** How many cards behind the one in hand have their first photo fetched and decoded ahead. */
const AHEAD = 5;
/** How many cards have their small photo on the device, for a deck without a network. */
const OFFLINE = 60;
/** Fewer than this and the next page is fetched, so that the deck never runs dry while swiping. */
const LOW = 20;

export type Leaving = { row: FeedRow; decision: Decision; velocity: Point };

/** The cards in sight stay where they are when the list is refreshed under them; the rest follow by rank. */
export function arrange(inSight: readonly string[], rows: readonly FeedRow[]): FeedRow[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const first = inSight.flatMap((id) => byId.get(id) ?? []);
  const firstIds = new Set(first.map((row) => row.id));
  return [...first, ...rows.filter((row) => !firstIds.has(row.id))];
}

/** Cards that were taken back are there at once, whenever the database tells of them; who was blocked since goes. */
export function withReturned(returned: readonly FeedRow[], rows: readonly FeedRow[]): FeedRow[] {
  const known = new Set(rows.map((row) => row.id));
  const early = returned.filter(({ id, fetchedAt }) => !known.has(id) && !purgedSince(id, fetchedAt));
  return [...early, ...rows];
}

const firstPhoto = ({ candidate }: FeedRow) => candidate.photos[0];

/** The cards that may be drawn: from the top on, as far as their pictures are there. */
export function drawn(cards: readonly FeedRow[], ready: (row: FeedRow) => boolean): FeedRow[] {
  const stack = cards.slice(0, STACK);
  const missing = stack.findIndex((row) => !ready(row));
  return missing < 0 ? stack : stack.slice(0, missing);
}

const hasPicture = (row: FeedRow) => {
  const photo = firstPhoto(row);
  return !photo || pictureOf(photo) !== null;
};

const without = (ids: ReadonlySet<string>, id: string) => new Set([...ids].filter((one) => one !== id));

/** The deck: what lies on it, what is flying off, and what decides. */
export function useDeck() {
  const feed = useFeed('forYou');
  const [inSight, setInSight] = useState<string[]>([]);
  const [leaving, setLeaving] = useState<Leaving[]>([]);
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set());
  const [returned, setReturned] = useState<FeedRow[]>([]);
  const lastPass = useLive(async (db) => (await readPasses(db)).at(-1)?.rows[0]?.candidate ?? null);

  // The database answers a moment after the decision, so decided cards are left out here too.
  const all = withReturned(returned, feed.data?.rows ?? []);
  const cards = arrange(
    inSight,
    all.filter((row) => !decided.has(row.id)),
  );
  const seen = cards.slice(0, STACK).map((row) => row.id);
  if (seen.join() !== inSight.join()) setInSight(seen);

  usePictures(cards.slice(0, 1 + AHEAD).map(firstPhoto));
  const shown = drawn(cards, hasPicture);
  useWarm(cards, shown.length > 0);

  const low = cards.length < LOW && feed.data?.next != null;
  useEffect(() => {
    // Offline the cards at hand must do; the next refresh continues.
    if (low) continueFeed(getDb(), 'forYou').catch(() => undefined);
  }, [low]);

  const usedUp = cards.length === 0 && decided.size > 0;
  const { refresh } = feed;
  useEffect(() => {
    if (usedUp) void refresh();
  }, [usedUp, refresh]);

  const settle = (id: string) => setLeaving((before) => before.filter((card) => card.row.id !== id));
  const comeBack = (id: string) => {
    settle(id);
    setDecided((before) => without(before, id));
  };

  function decide(decision: Decision, velocity: Point = { x: 0, y: 0 }, note?: LikeNote) {
    const row = shown[0];
    if (!row) return;
    setDecided((before) => new Set(before).add(row.id));
    setLeaving((before) => [...before.filter((card) => card.row.id !== row.id), { row, decision, velocity }]);
    const stored = decision === 'pass' ? pass(row.candidate) : like(row.candidate, decision, 'deck', note);
    stored.catch(() => comeBack(row.id));
  }

  /** Brings the last passed card back on top; resolves with who it is. */
  async function undo() {
    const row = await undoPass();
    if (!row) return null;
    setReturned((before) => [...before.filter(({ id }) => id !== row.id), row]);
    comeBack(row.id);
    setInSight((before) => [row.id, ...before.filter((id) => id !== row.id)]);
    return row.candidate;
  }

  return {
    feed,
    cards,
    shown,
    leaving,
    decide,
    undo,
    /** Who a step back would bring; null when there is nobody. */
    lastPass: lastPass ?? null,
    /** Cards that come in from the side to which they were passed. */
    isReturned: (id: string) => returned.some((row) => row.id === id),
    gone: settle,
    /** "N of M": the card in hand among all of this sitting. */
    position: decided.size + 1,
    total: decided.size + cards.length,
    /** Whether the server has people beyond those. */
    more: Boolean(feed.data?.next),
    /** Looks for more and starts over at the first. */
    async restart() {
      const result = await feed.refresh();
      setInSight([]);
      setDecided(new Set());
      setReturned([]);
      return result;
    },
  };
}

export type DeckState = ReturnType<typeof useDeck>;

/** Once the cards in sight are drawn, the small photos of the others are fetched for reading offline. */
function useWarm(cards: readonly FeedRow[], started: boolean): void {
  const last = cards.at(-1)?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a longer list has another last card
  useEffect(() => {
    if (started) void warm(cards.slice(1 + AHEAD, OFFLINE).map(firstPhoto));
  }, [started, last]);
}
