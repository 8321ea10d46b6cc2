import 'fake-indexeddb/auto';
import { beforeEach, expect, it, vi } from 'vitest';
import { freshDb, json } from '@/offline/testkit.ts';
import { toast, toastError } from '@/ui';
import { saveAndTell } from './save.ts';

vi.mock('@/ui', () => ({ toast: vi.fn(), toastError: vi.fn() }));

let answer: () => Response;

beforeEach(async () => {
  await freshDb();
  vi.stubGlobal('fetch', async () => answer());
  return () => vi.unstubAllGlobals();
});

it('says what a change without a network means for the other devices', async () => {
  answer = () => {
    throw new TypeError('no network');
  };
  await saveAndTell({ badges: false });
  const description = "You're offline: this device has them, the others will.";
  expect(toast).toHaveBeenLastCalledWith({ title: 'Settings saved', description });
});

it('says why a change was refused', async () => {
  answer = () => json(422, { kind: 'invalid', detail: 'Quiet hours need a beginning and an end.' });
  await saveAndTell({ badges: false });
  expect(toastError).toHaveBeenLastCalledWith('Quiet hours need a beginning and an end.');
});
