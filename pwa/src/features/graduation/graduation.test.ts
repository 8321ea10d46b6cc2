import { expect, it } from 'vitest';
import type { CoupleState } from '@/api/types.ts';
import { graduationToCelebrate } from './graduation.ts';
import { formatSince } from './month.ts';

it('says how long ago a couple graduated', () => {
  const since = (value: string) => formatSince(value, new Date('2026-03-15T12:00:00Z'));
  expect(since('2025-03-10T08:00:00Z')).toBe('1 year');
  expect(since('2025-03-16T08:00:00Z')).toBe('11 months');
  expect(since('2025-07-14T08:00:00Z')).toBe('8 months');
  expect(since('2026-02-15T08:00:00Z')).toBe('1 month');
  expect(since('2026-02-16T08:00:00Z')).toBe('27 days');
  expect(since('2026-03-15T08:00:00Z')).toBe('1 day');
});

const partner = { id: 'ben', firstName: 'Ben' };
const state = (couple: object) =>
  ({
    isGraduated: true,
    requests: [],
    ended: null,
    couple: { id: 'c', partner, graduatedAt: '2026-01-01T00:00:00.000Z', ...couple },
  }) as unknown as CoupleState;
const at = Date.parse('2026-01-01T00:00:00.000Z');

it('celebrates a graduation for a week, and nothing before it', () => {
  expect(graduationToCelebrate(state({ status: 'graduated' }), at + 1)).toMatchObject({
    coupleId: 'c',
    partner,
    at,
  });
  expect(graduationToCelebrate(state({ status: 'graduated' }), at + 8 * 24 * 3_600_000)).toBeNull();
  expect(graduationToCelebrate(state({ status: 'pending' }), at + 1)).toBeNull();
  expect(graduationToCelebrate({ ...state({}), couple: null }, at)).toBeNull();
  expect(graduationToCelebrate(undefined, at)).toBeNull();
});
