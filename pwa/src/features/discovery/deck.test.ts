import { expect, test } from 'vitest';
import type { FeedRow } from '@/offline/db.ts';
import { arrange } from './deck.ts';

const rows = (...ids: string[]) => ids.map((id, rank) => ({ id, rank }) as FeedRow);
const order = (list: FeedRow[]) => list.map((row) => row.id).join('');

test('cards in sight stay while the list is refreshed under them', () => {
  expect(order(arrange(['a', 'b', 'c'], rows('x', 'c', 'a', 'y', 'b')))).toBe('abcxy');
});

test('a card that the server no longer offers goes, the next moves up', () => {
  expect(order(arrange(['a', 'b', 'c'], rows('x', 'c', 'b')))).toBe('bcx');
});

test('without anything in sight the best fit is first', () => {
  expect(order(arrange([], rows('a', 'b')))).toBe('ab');
  expect(arrange(['a'], [])).toEqual([]);
});
