import { useEffect, useState } from 'react';
import type { FeedRow } from '@/offline/db.ts';
import { getDb } from '@/offline/db.ts';
import { like, pass } from './decide.ts';
import { continueFeed, useFeed } from './feed.ts';
import type { Decision, Point } from './gesture.ts';

/** How many cards are drawn: the one in hand and two behind it. */
export const STACK = 3;
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

/** The deck: what lies on it, what is flying off, and what decides. */
export function useDeck() {
  const feed = useFeed('forYou');
  const [inSight, setInSight] = useState<string[]>([]);
  const [leaving, setLeaving] = useState<Leaving[]>([]);
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set());

  // The database answers a moment after the decision, so decided cards are left out here too.
  const cards = arrange(inSight, feed.data?.rows.filter((row) => !decided.has(row.id)) ?? []);
  const seen = cards.slice(0, STACK).map((row) => row.id);
  if (seen.join() !== inSight.join()) setInSight(seen);

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

  function decide(decision: Decision, velocity: Point = { x: 0, y: 0 }) {
    const row = cards[0];
    if (!row) return;
    setDecided((before) => new Set(before).add(row.id));
    setLeaving((before) => [...before, { row, decision, velocity }]);
    const stored = decision === 'pass' ? pass(row.candidate) : like(row.candidate, decision, 'deck');
    stored.catch(() => {
      setLeaving((before) => before.filter((card) => card.row.id !== row.id));
      setDecided((before) => new Set([...before].filter((id) => id !== row.id)));
    });
  }

  return {
    feed,
    cards,
    leaving,
    decide,
    gone: (id: string) => setLeaving((before) => before.filter((card) => card.row.id !== id)),
    /** "N of M": the card in hand among all of this sitting. */
    position: decided.size + 1,
    total: decided.size + cards.length,
    /** Looks for more and starts over at the first. */
    async restart() {
      const result = await feed.refresh();
      setInSight([]);
      setDecided(new Set());
      return result;
    },
  };
}
