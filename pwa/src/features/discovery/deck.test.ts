import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { Session } from '@/base/pageSession.ts';
import { purgeMember } from '@/offline/store/purge.ts';
import type { FeedRow } from '@/offline/store/rows.ts';
import { freshDb, ME } from '@/offline/testkit.ts';
import { arrange, drawableCards, withReturned } from './deck.ts';

const rows = (...ids: string[]) => ids.map((id, rank) => ({ id, rank }) as FeedRow);
const order = (list: FeedRow[]) => list.map((row) => row.id).join('');

test('visible cards stay while the list is refreshed', () => {
  expect(order(arrange(['a', 'b', 'c'], rows('x', 'c', 'a', 'y', 'b')))).toBe('abcxy');
});

test('a card that the server no longer offers is removed, and the next one moves up', () => {
  expect(order(arrange(['a', 'b', 'c'], rows('x', 'c', 'b')))).toBe('bcx');
});

test('without visible cards the best fit is first', () => {
  expect(order(arrange([], rows('a', 'b')))).toBe('ab');
  expect(arrange(['a'], [])).toEqual([]);
});

test('a returned card is present before the live query emits it, and never twice', () => {
  const session = new Session(ME);
  expect(order(withReturned(session, rows('r'), rows('a', 'b')))).toBe('rab');
  expect(order(withReturned(session, rows('a'), rows('a', 'b')))).toBe('ab');
  expect(order(arrange(['r', 'a'], withReturned(session, rows('r'), rows('a', 'b'))))).toBe('rab');
});

test('a returned card is removed when its member is blocked', async () => {
  const db = await freshDb();
  const fetchedAt = Date.now();
  const [blocked, other] = rows('blocked', 'other').map((row) => ({ ...row, fetchedAt }));
  if (!blocked || !other) throw new Error('a card is missing');
  expect(order(withReturned(db, [blocked, other], []))).toBe('blockedother');
  await purgeMember(db, 'blocked');
  expect(order(withReturned(db, [blocked, other], []))).toBe('other');
});

test('cards are drawn from the top up to the first without a picture', () => {
  const pictures = (ready: string) => (row: FeedRow) => ready.includes(row.id);
  const cards = rows('a', 'b', 'c', 'd');
  expect(order(drawableCards(cards, pictures('abcd')))).toBe('abc');
  expect(order(drawableCards(cards, pictures('acd')))).toBe('a');
  expect(order(drawableCards(cards, pictures('bcd')))).toBe('');
});
