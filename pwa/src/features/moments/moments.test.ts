import 'fake-indexeddb/auto';
import { afterEach, expect, test, vi } from 'vitest';
import type { Moment } from '@/api/types.ts';
import { uploadBytes } from '@/offline/outbox/tus.ts';
import { getMeta, setMeta } from '@/offline/store/meta.ts';
import { freshDb, json } from '@/offline/testkit.ts';
import { contentOf, namesPeer, shareLinks } from './content.ts';
import { loadMore, refreshMoments, storePicture, withPendingShares } from './moments.ts';

vi.mock('@/offline/outbox/tus.ts', () => ({ uploadBytes: vi.fn() }));

afterEach(() => vi.unstubAllGlobals());

const match = (consent: Moment['consent']): Moment => ({
  id: 'm',
  momentType: 'match',
  title: 'New match',
  caption: '',
  imageUrl: null,
  shareCount: 2,
  createdAt: '2026-01-01T00:00:00Z',
  badge: null,
  peer: { id: 'p', firstName: 'Ben' },
  consent,
});

test('the other member is named only with their consent', () => {
  for (const consent of ['none', 'asked'] as const) {
    expect(JSON.stringify(contentOf(match(consent), 'Ann'))).not.toContain('Ben');
    expect(namesPeer(match(consent))).toBe(false);
  }
  expect(contentOf(match('given'), 'Ann').headline).toBe('Ann & Ben');
  expect(namesPeer(match('given'))).toBe(true);
  expect(namesPeer({ ...match('given'), peer: null })).toBe(false);
});

test('a name of the other direction does not move the words around it', () => {
  expect(contentOf(match('given'), 'نور').headline).toBe('\u2068نور\u2069 & Ben');
  expect(contentOf(match('none'), 'نور').headline).toBe('\u2068نور\u2069 met someone');
});

test('the links contain the caption and the site', () => {
  const { twitter, whatsapp } = shareLinks('A & B?', 'https://heartward.test');
  expect(new URL(twitter).searchParams.get('text')).toBe('A & B?');
  expect(new URL(twitter).searchParams.get('url')).toBe('https://heartward.test');
  expect(new URL(whatsapp).searchParams.get('text')).toBe('A & B? https://heartward.test');
});

test('shares that wait on the device are counted', () => {
  expect(withPendingShares([match('none')], ['m', 'other', 'm'])[0]?.shareCount).toBe(4);
});

/** A server with three pages of moments, "page0" to "page2". Requests are recorded. */
function servePages(): string[] {
  const requests: string[] = [];
  vi.stubGlobal('fetch', async (input: Request) => {
    const url = new URL(input.url);
    requests.push(url.pathname + url.search);
    if (url.pathname !== '/api/moments') return json(200, []);
    const page = Number(url.searchParams.get('cursor') ?? 0);
    const response = json(200, [{ ...match('none'), id: `page${page}` }]);
    if (page < 2) response.headers.set('Link', `</api/moments?cursor=${page + 1}>; rel="next"`);
    return response;
  });
  return requests;
}

test('a refresh keeps the later pages that were loaded', async () => {
  const db = await freshDb();
  servePages();
  const ids = async () => (await getMeta(db, 'moments'))?.items.map(({ id }) => id);
  await refreshMoments(db);
  expect(await ids()).toEqual(['page0']);
  await loadMore(db);
  expect(await ids()).toEqual(['page0', 'page1']);
  const requests = servePages();
  await refreshMoments(db);
  expect(await ids()).toEqual(['page0', 'page1']);
  expect(requests).toHaveLength(3);
  expect((await getMeta(db, 'moments'))?.next).toBe('2');
});

test('a picture that could not be uploaded is stored by the next call, and then not again', async () => {
  const db = await freshDb();
  await setMeta(db, 'moments', { items: [match('none')], next: null, consents: [] });
  vi.stubGlobal('fetch', async () => json(200, { ...match('none'), imageUrl: '/files/f/full.webp' }));
  vi.spyOn(console, 'warn').mockReturnValue();
  const upload = vi
    .mocked(uploadBytes)
    .mockRejectedValueOnce(new Error('offline'))
    .mockResolvedValue('upload');
  const store = () => storePicture(db, 'm', async () => new Blob(['x'], { type: 'image/png' }));
  await store();
  expect(upload).toHaveBeenCalledTimes(1);
  await store();
  await store();
  expect(upload).toHaveBeenCalledTimes(2);
  expect((await getMeta(db, 'moments'))?.items[0]?.imageUrl).toBe('/files/f/full.webp');
});
