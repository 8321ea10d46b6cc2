import { beforeEach, expect, it } from 'vitest';
import { Session } from '@/base/pageSession.ts';
import { readDraft, storeDraft } from './storedDraft.ts';

const maya = new Session('maya');
const noah = new Session('noah');

beforeEach(() => localStorage.clear());

it('returns the draft only to the member who wrote it', () => {
  storeDraft(maya, { bio: 'Slow mornings' });
  expect(readDraft(maya)).toEqual({ bio: 'Slow mornings' });
  expect(readDraft(noah)).toEqual({});
});

it('removes the draft once everything is saved', () => {
  storeDraft(maya, { bio: 'Slow mornings' });
  storeDraft(maya, {});
  expect(localStorage).toHaveLength(0);
});

it('returns no changes where the stored draft cannot be parsed', () => {
  localStorage.setItem('hw.profile-draft', '{');
  expect(readDraft(maya)).toEqual({});
});
