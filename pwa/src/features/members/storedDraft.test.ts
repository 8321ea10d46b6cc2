import { beforeEach, expect, it } from 'vitest';
import { readDraft, storeDraft } from './storedDraft.ts';

beforeEach(() => localStorage.clear());

it('returns the draft of the member who wrote it, and of no other', () => {
  storeDraft('maya', { bio: 'Slow mornings' });
  expect(readDraft('maya')).toEqual({ bio: 'Slow mornings' });
  expect(readDraft('noah')).toEqual({});
});

it('leaves nothing once everything is saved', () => {
  storeDraft('maya', { bio: 'Slow mornings' });
  storeDraft('maya', {});
  expect(localStorage).toHaveLength(0);
});

it('returns no changes where the stored draft cannot be parsed', () => {
  localStorage.setItem('hw.profile-draft', '{');
  expect(readDraft('maya')).toEqual({});
});
