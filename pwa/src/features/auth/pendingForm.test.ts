import { beforeEach, expect, it } from 'vitest';
import { storageKeys } from '@/base/storage.ts';
import { readPendingForm, removePendingForms, storePendingForm } from './pendingForm.ts';

const MINUTE = 60_000;
const key = storageKeys.signUp;
const now = Date.UTC(2026, 10, 22);

beforeEach(() => localStorage.clear());

it('returns a stored form, and whether its code is still valid', () => {
  expect(readPendingForm(key, now)).toBeNull();
  storePendingForm(key, { city: 'Boise' }, undefined, now);
  expect(readPendingForm(key, now)).toEqual({ values: { city: 'Boise' } });
  storePendingForm(key, { city: 'Boise' }, now, now);
  expect(readPendingForm(key, now + 9 * MINUTE)?.codeSentAt).toBe(now);
  expect(readPendingForm(key, now + 10 * MINUTE)).toEqual({ values: { city: 'Boise' } });
});

it('removes a form after an hour, and one from the future', () => {
  for (const readAt of [now + 61 * MINUTE, now - MINUTE]) {
    storePendingForm(key, {}, undefined, now);
    expect(readPendingForm(key, readAt)).toBeNull();
    expect(localStorage.getItem(key)).toBeNull();
  }
});

it('leaves no form after signing in', () => {
  storePendingForm(key, {});
  storePendingForm(storageKeys.signIn, { email: 'a@b.test' });
  removePendingForms();
  expect(localStorage.length).toBe(0);
});
