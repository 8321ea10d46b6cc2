import { expect, test } from 'vitest';
import type { BadgeProgress } from '@/api/types.ts';
import { listBadges, percentOf } from './badges.ts';

const badge = (id: string, count: number, needed: number): BadgeProgress => ({
  id,
  name: id,
  description: '',
  iconKey: 'award',
  colorPalette: 'ember',
  category: 'social',
  requirements: '',
  count,
  needed,
});

test('an earned badge is complete, another one never before the server has awarded it', () => {
  const earned = [{ id: 'row', badgeId: 'a', awardedAt: '2026-01-01T00:00:00Z', notified: false }];
  const list = listBadges({ all: [badge('a', 1, 1), badge('b', 3, 10), badge('c', 5, 5)], earned });
  expect(list.map(({ percent }) => percent)).toEqual([100, 30, 99]);
  expect(list.map(({ earned: row }) => row?.id)).toEqual(['row', undefined, undefined]);
});

test('a progress is rounded down', () => {
  expect(percentOf(0, 25)).toBe(0);
  expect(percentOf(24, 25)).toBe(96);
  expect(percentOf(2, 3)).toBe(66);
});
