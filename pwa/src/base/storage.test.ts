import { afterEach, expect, it } from 'vitest';
import { preserveTheme, storageKeys } from './storage.ts';

afterEach(() => localStorage.clear());

it('keeps the theme when everything else is wiped', async () => {
  localStorage.setItem(storageKeys.theme, 'dark');
  localStorage.setItem(storageKeys.member, '7');
  await preserveTheme(async () => localStorage.clear());
  expect({ ...localStorage }).toEqual({ 'hw.theme': 'dark' });
});

it('keeps nothing when no theme was selected', async () => {
  await preserveTheme(async () => localStorage.clear());
  expect(localStorage).toHaveLength(0);
});
