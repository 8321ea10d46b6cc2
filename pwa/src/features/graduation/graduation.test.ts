import { expect, it } from 'vitest';
import type { CoupleState } from '@/api/types.ts';
import { graduationToCelebrate } from './graduation.ts';

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
