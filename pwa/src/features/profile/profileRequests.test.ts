import { expect, test, vi } from 'vitest';
import { queryClient } from '@/session/query.ts';
import { saveProfile } from './profileRequests.ts';

test('after a change of the genders the filters, which contain them, are fetched again', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ id: 'me' }));
  const key = ['refresh', 'filters'];
  queryClient.setQueryData(key, 1);
  await saveProfile({ bio: 'Hello' });
  expect(queryClient.getQueryState(key)?.isInvalidated).toBe(false);
  await saveProfile({ interestedIn: ['man'] });
  expect(queryClient.getQueryState(key)?.isInvalidated).toBe(true);
});
