import { beforeEach, expect, it } from 'vitest';
import { Session } from '@/base/pageSession.ts';
import { storageKeys } from '@/base/storage.ts';
import { readMemberDraft, storeMemberDraft } from './memberDraft.ts';

const ann = new Session('ann');
const ben = new Session('ben');

beforeEach(() => {
  localStorage.clear();
  return () => localStorage.clear();
});

it.each(['profile', 'pulse', 'story'] as const)('keeps the %s on a device that keeps data', (form) => {
  storeMemberDraft(ann, form, { text: 'Fog' });
  expect(JSON.stringify(localStorage)).toContain('Fog');
  expect(readMemberDraft(ann, form)).toEqual({ text: 'Fog' });
  expect(readMemberDraft(ben, form)).toBeUndefined();
  storeMemberDraft(ann, form, undefined);
  expect(readMemberDraft(ann, form)).toBeUndefined();
  expect(localStorage).toHaveLength(0);
});

it.each(['profile', 'pulse', 'story'] as const)('writes no %s on a device that keeps nothing', (form) => {
  localStorage.setItem(storageKeys.keepsNothing, '1');
  storeMemberDraft(ann, form, { text: 'Fog' });
  expect(JSON.stringify(localStorage)).not.toContain('Fog');
  expect(readMemberDraft(ann, form)).toEqual({ text: 'Fog' });
  expect(readMemberDraft(ben, form)).toBeUndefined();
  storeMemberDraft(ann, form, undefined);
  expect(readMemberDraft(ann, form)).toBeUndefined();
});
