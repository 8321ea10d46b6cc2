import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { purgeMember } from '@/offline/store/purge.ts';
import type { FeedRow } from '@/offline/store/rows.ts';
import { freshDb } from '@/offline/testkit.ts';
import { arrange, drawn, withReturned } from './deck.ts';

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

test('a card taken back is there before the database tells of it, and never twice', () => {
  expect(order(withReturned(rows('r'), rows('a', 'b')))).toBe('rab');
  expect(order(withReturned(rows('a'), rows('a', 'b')))).toBe('ab');
  expect(order(arrange(['r', 'a'], withReturned(rows('r'), rows('a', 'b'))))).toBe('rab');
});

test('a card taken back goes with its member, who was blocked since', async () => {
  const fetchedAt = Date.now();
  const [blocked, other] = rows('blocked', 'other').map((row) => ({ ...row, fetchedAt }));
  if (!blocked || !other) throw new Error('two cards');
  expect(order(withReturned([blocked, other], []))).toBe('blockedother');
  await purgeMember(await freshDb(), 'blocked');
  expect(order(withReturned([blocked, other], []))).toBe('other');
});

test('cards are drawn from the top on as far as their pictures are there', () => {
  const pictures = (ready: string) => (row: FeedRow) => ready.includes(row.id);
  const cards = rows('a', 'b', 'c', 'd');
  expect(order(drawn(cards, pictures('abcd')))).toBe('abc');
  expect(order(drawn(cards, pictures('acd')))).toBe('a');
  expect(order(drawn(cards, pictures('bcd')))).toBe('');
});
