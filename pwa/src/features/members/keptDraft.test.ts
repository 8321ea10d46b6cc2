import { beforeEach, expect, it } from 'vitest';
import { keepDraft, keptDraft } from './keptDraft.ts';

beforeEach(() => localStorage.clear());

it('finds again what its writer kept, and nobody else’s', () => {
  keepDraft('maya', { bio: 'Slow mornings' });
  expect(keptDraft('maya')).toEqual({ bio: 'Slow mornings' });
  expect(keptDraft('noah')).toEqual({});
});

it('leaves nothing once everything is saved', () => {
  keepDraft('maya', { bio: 'Slow mornings' });
  keepDraft('maya', {});
  expect(localStorage).toHaveLength(0);
});

it('starts anew where the kept draft cannot be read', () => {
  localStorage.setItem('hw.profile-draft', '{');
  expect(keptDraft('maya')).toEqual({});
});
