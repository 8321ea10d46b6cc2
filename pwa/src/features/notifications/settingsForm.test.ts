import 'fake-indexeddb/auto';
import { beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '@/api/request.ts';
import { drain } from '@/offline/outbox/drain.ts';
import { senderOf } from '@/offline/outbox/sender.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { freshDb, json } from '@/offline/testkit.ts';
import { showFailure, toast } from '@/ui';
import { saveWithToast } from './settingsForm.ts';

vi.mock('@/ui', () => ({ toast: vi.fn(), showFailure: vi.fn() }));

let respond: () => Response;

let db: HeartwardDb;

beforeEach(async () => {
  db = await freshDb();
  senderOf(db).setDrain(drain);
  vi.stubGlobal('fetch', async () => respond());
  return () => vi.unstubAllGlobals();
});

it('explains that other devices get an offline change later', async () => {
  respond = () => {
    throw new TypeError('no network');
  };
  await saveWithToast(db, { badges: false });
  const description = "You're offline. Your other devices will get them later.";
  expect(toast).toHaveBeenLastCalledWith({ title: 'Settings saved', description });
});

it('shows the reason of a rejected change', async () => {
  respond = () => json(422, { kind: 'invalid', detail: 'Quiet hours need a start and an end.' });
  await saveWithToast(db, { badges: false });
  const [failure] = vi.mocked(showFailure).mock.lastCall ?? [];
  expect(failure).toBeInstanceOf(ApiError);
  expect(failure).toHaveProperty('message', 'Quiet hours need a start and an end.');
});
