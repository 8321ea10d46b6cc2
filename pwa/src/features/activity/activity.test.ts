import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { ActivityItem } from '@/api/types.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { onPurge, purgeMember } from '@/offline/store/purge.ts';
import { freshDb } from '@/offline/testkit.ts';
import { fetchNextActivity, readActivity, refreshActivity } from './activity.ts';
import { activityData } from './activityData.ts';

onPurge(activityData);

let db: HeartwardDb;
beforeEach(async () => {
  localStorage.setItem('hw.member', '019a0000-0000-7000-8000-00000000000a');
  db = await freshDb();
  await Promise.all(db.tables.map((table) => table.clear()));
});

const likeItem = (name: string): ActivityItem => ({
  id: `liked-${name}`,
  kind: 'liked',
  at: '2026-11-20T12:00:00Z',
  text: `You liked ${name}.`,
  path: `/profile/${name}`,
  user: {
    id: name,
    firstName: name,
    fullName: name,
    age: 31,
    city: 'Portland',
    bio: '',
    profileImageUrl: `/files/${name}/thumb.webp`,
    placeholder: '',
    isVerified: false,
  },
});

/** Fakes a server with these pages by cursor; `during` runs during each request. */
function serve(pages: Record<string, { names: string[]; next?: string }>, during?: () => Promise<unknown>) {
  const requests: string[] = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    const cursor = new URL((input as Request).url).searchParams.get('cursor') ?? '';
    requests.push(cursor);
    await during?.();
    const page = pages[cursor];
    const headers = page?.next ? { Link: `</x?cursor=${page.next}>; rel="next"` } : undefined;
    return Response.json(page?.names.map(likeItem), { headers });
  });
  return requests;
}

const texts = async () => (await readActivity(db))?.items.map(({ text }) => text);

describe('the stored activity', () => {
  test('loads page by page, and a refresh starts again', async () => {
    const requests = serve({ '': { names: ['Cleo', 'Bea'], next: 'two' }, two: { names: ['Ada'] } });
    await refreshActivity(db);
    expect(await texts()).toEqual(['You liked Cleo.', 'You liked Bea.']);
    await fetchNextActivity(db);
    expect(await texts()).toEqual(['You liked Cleo.', 'You liked Bea.', 'You liked Ada.']);
    await fetchNextActivity(db);
    expect(requests, 'there is no third page').toEqual(['', 'two']);
    await refreshActivity(db);
    expect(await texts()).toEqual(['You liked Cleo.', 'You liked Bea.']);
  });

  test('stores a page once when it was fetched twice at the same time', async () => {
    serve({ '': { names: ['Bea'], next: 'two' }, two: { names: ['Ada'] } });
    await refreshActivity(db);
    await Promise.all([fetchNextActivity(db), fetchNextActivity(db)]);
    expect(await texts()).toEqual(['You liked Bea.', 'You liked Ada.']);
  });

  test('does not name a purged member, not even from a response in flight', async () => {
    serve({ '': { names: ['Cleo', 'Bea'] } });
    await refreshActivity(db);
    await purgeMember(db, 'Cleo');
    expect(await texts()).toEqual(['You liked Bea.']);
    serve({ '': { names: ['Cleo', 'Bea'] } }, () => purgeMember(db, 'Bea'));
    await refreshActivity(db);
    expect(await texts()).toEqual(['You liked Cleo.']);
  });
});
