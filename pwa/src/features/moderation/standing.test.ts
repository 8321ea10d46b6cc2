import { expect, test } from 'vitest';
import type { Standing } from '@/api/types.ts';
import { describeEffect, describeRestriction } from './standing.ts';

const standing = (over: Partial<Standing>): Standing => ({
  status: 'suspended',
  underReport: false,
  hiddenUntil: null,
  ageAsked: false,
  statement: null,
  sanction: null,
  appeal: null,
  contact: 'hello@heartward.test',
  ...over,
});

const sanction = {
  id: '0',
  explanation: 'You asked for money.',
  createdAt: '2026-11-20T10:00:00Z',
  suspendedUntil: null,
  deletesAt: null,
  reasons: null,
  parts: [],
  reversedAt: null,
  reversedBy: null,
};

test('the title names the end only when the server has told it', () => {
  expect(describeRestriction('suspended')).toBe('Your account is suspended');
  const ban = standing({ sanction: { ...sanction, kind: 'ban' } });
  expect(describeRestriction('suspended', ban)).toBe('Your account is suspended for good');
  const suspension = standing({
    sanction: { ...sanction, kind: 'suspension', suspendedUntil: '2026-12-02T15:00:00Z' },
  });
  expect(describeRestriction('suspended', suspension)).toContain('suspended until December 2, 2026');
  expect(describeRestriction('under_review', standing({ status: 'under_review' }))).toBe(
    'Your profile is under review',
  );
});

test('a member hidden by a report reads that there is no decision yet', () => {
  const reported = standing({ status: 'under_review', underReport: true });
  expect(describeEffect('under_review', reported)).toContain("We'll email you the decision.");
  expect(describeEffect('under_review', reported)).not.toContain('shown again');
  expect(describeEffect('under_review', { ...reported, hiddenUntil: '2026-12-02T15:00:00Z' })).toContain(
    'If nobody has decided by December 2, 2026',
  );
  expect(describeEffect('under_review', { ...reported, underReport: false })).not.toContain('report');
  expect(describeEffect('suspended', standing({ sanction: { ...sanction, kind: 'ban' } }))).toContain(
    'anymore',
  );
});
