import { expect, it } from 'vitest';
import { auditAreas, describeDue, describeMember } from './adminLabels.ts';

const now = new Date('2026-11-23T12:00:00Z');

it.each([
  ['2026-11-23T12:59:30Z', 'Due in 59 min', false],
  ['2026-11-23T12:00:00Z', 'Due in 0 min', false],
  ['2026-11-23T10:59:00Z', 'Overdue by 1 h', true],
  ['2026-11-26T12:00:00Z', 'Due in 3 days', false],
])('a report due at %s is described as %s', (dueAt, text, isOverdue) => {
  expect(describeDue(dueAt, now)).toEqual({ text, isOverdue });
});

it('a deleted account has no name', () => {
  expect(describeMember(null)).toBe('Deleted account');
  expect(describeMember({ fullName: 'Ann Harper', age: 31, city: 'Portland' })).toBe(
    'Ann Harper, 31, Portland',
  );
});

it('each area of the audit log is listed once', () => {
  const prefixes = auditAreas.map(([prefix]) => prefix);
  expect(prefixes).toEqual([...new Set(prefixes)]);
});
