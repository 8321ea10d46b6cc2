import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { filterDefaults } from '@/api/defaults.gen.ts';
import { onPurge, purgeMember } from '@/offline/store/purge.ts';
import { freshDb } from '@/offline/testkit.ts';
import { queryClient } from '@/session/query.ts';
import { discoveryData, PREVIEW_KEY } from './discoveryData.ts';
import { person } from './testkit.ts';

onPurge(discoveryData);

test('a blocked member leaves the preview of filters that are not applied', async () => {
  const key = [PREVIEW_KEY, filterDefaults, 12];
  const candidates = [person('blocked'), person('other')];
  queryClient.setQueryData(key, { count: 2, more: false, suggestions: [], candidates });
  await purgeMember(await freshDb(), 'blocked');
  expect(queryClient.getQueryData(key)).toEqual({
    count: 1,
    more: false,
    suggestions: [],
    candidates: [person('other')],
  });
});
