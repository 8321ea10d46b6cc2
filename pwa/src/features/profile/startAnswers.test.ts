import { expect, test, vi } from 'vitest';
import type { Settled } from '@/offline/outbox/outbox.ts';
import { queryClient } from '@/session/query.ts';
import { handleSavedStart } from './startAnswers.ts';

vi.mock('@/session/session.ts', () => ({ setMe: vi.fn(), refreshMe: vi.fn() }));

test('after a change of the genders the filters, which contain them, are fetched again', () => {
  const saved = (answers: object) =>
    handleSavedStart({ ok: true, row: { body: { kind: 'start', answers } } } as Settled);
  const key = ['refresh', 'filters'];
  queryClient.setQueryData(key, 1);
  saved({ gender: 'woman' });
  expect(queryClient.getQueryState(key)?.isInvalidated).toBe(false);
  saved({ interestedIn: ['man'] });
  expect(queryClient.getQueryState(key)?.isInvalidated).toBe(true);
});
