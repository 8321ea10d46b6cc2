import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { deleteShared, readShared, type Shared, storeShared } from '../src/offline/device/sharedFiles.ts';
import { wipeDevice } from '../src/offline/device/wipe.ts';
import { fakeCaches, freshDb, ME } from '../src/offline/testkit.ts';
import { isShare, receiveShared } from './share.ts';

const picture = (name: string, type = 'image/jpeg', content = 'pixels') =>
  new File([content], name, { type });

/** The form that the browser posts. */
function shareForm(fields: Record<string, string>, files: File[] = [], referrer = '') {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const file of files) form.append('pictures', file);
  return { formData: async () => form, referrer };
}

async function redirectOf(request: Parameters<typeof receiveShared>[0]): Promise<string> {
  const { status, headers } = await receiveShared(request);
  expect(status).toBe(303);
  return headers.get('Location')?.replace(location.origin, '') ?? '';
}

const shared = (change: Partial<Shared> = {}): Omit<Shared, 'id'> => ({
  text: 'words',
  pictures: [],
  omitted: 0,
  website: null,
  member: ME,
  at: Date.now(),
  ...change,
});

beforeEach(async () => {
  vi.stubGlobal('caches', fakeCaches());
  await freshDb();
  for (const { id } of await readShared(ME)) await deleteShared(id);
});

describe('content shared from another app', () => {
  it('is stored for the member, and the response redirects with GET', async () => {
    expect(await redirectOf(shareForm({ text: ' Look at this ', url: 'https://example.test/a' }))).toBe(
      '/share',
    );
    expect(await readShared(ME)).toMatchObject([
      {
        text: 'Look at this\nhttps://example.test/a',
        pictures: [],
        omitted: 0,
        website: null,
        member: ME,
      },
    ]);
  });

  it.each([
    ['the address once', { text: 'See https://a.test', url: 'https://a.test' }, 'See https://a.test'],
    ['the title if it has no other text', { title: 'Owls', url: 'https://a.test' }, 'Owls\nhttps://a.test'],
    ['no title beside another text', { title: 'Owls', text: 'Look' }, 'Look'],
    ['all of a text that is longer than a message', { text: '🌮'.repeat(4001) }, '🌮'.repeat(4001)],
  ])('has %s', async (_, fields, text) => {
    await receiveShared(shareForm(fields));
    expect((await readShared(ME))[0]?.text).toBe(text);
  });

  it('is refused whole if its text is far too long', async () => {
    expect(await redirectOf(shareForm({ text: 'x'.repeat(100_001) }))).toBe('/share?failed=long');
    expect(await readShared(ME)).toEqual([]);
  });

  it('has at most ten pictures and no other files', async () => {
    const twelvePictures = Array.from({ length: 12 }, (_, index) => picture(`${index}.jpg`));
    const files = [
      picture('a.pdf', 'application/pdf'),
      picture('empty.jpg', 'image/jpeg', ''),
      ...twelvePictures,
    ];
    await receiveShared(shareForm({}, files));
    const [stored] = await readShared(ME);
    expect([stored?.pictures.length, stored?.omitted]).toEqual([10, 2]);
  });

  it('is not stored when it is empty', async () => {
    expect(await redirectOf(shareForm({ text: ' ' }, [picture('a.pdf', 'application/pdf')]))).toBe('/share');
    expect(await readShared(ME)).toEqual([]);
  });

  it.each([
    ['another website', 'https://words.example:8443/page?q=1', 'words.example:8443'],
    ['an app', '', null],
    ['an Android app', 'android-app://org.example.notes/', null],
    ['a page of ours', `${location.origin}/matches`, null],
  ])('names the website that it came from: %s', async (_, referrer, website) => {
    await receiveShared(shareForm({ text: 'words' }, [], referrer));
    expect((await readShared(ME))[0]?.website).toBe(website);
  });

  it('redirects to an error when it cannot be stored', async () => {
    const broken = { formData: () => Promise.reject(new TypeError('no form')), referrer: '' };
    expect(await redirectOf(broken)).toBe('/share?failed');
    vi.spyOn(indexedDB, 'open').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    expect(await redirectOf(shareForm({ text: 'words' }))).toBe('/share?failed');
  });

  it.each([
    ['/share', true],
    ['/shared-date/a', false],
    ['/share/a', false],
  ])('is posted to %s: %s', (path, accepted) =>
    expect(isShare({ url: new URL(path, 'https://heartward.test') })).toBe(accepted),
  );
});

describe('stored content', () => {
  it('is available for an hour to the next member who signs in', async () => {
    const at = Date.now();
    await storeShared(shared({ member: null, at }));
    expect(await readShared(ME, at + 59 * 60_000)).toMatchObject([{ text: 'words' }]);
    expect(await readShared(ME, at + 61 * 60_000)).toEqual([]);
    expect(await readShared(ME, at)).toEqual([]);
  });

  it('is not available to another member, whose read deletes it', async () => {
    await storeShared(shared());
    expect(await readShared('another')).toEqual([]);
    expect(await readShared(ME)).toEqual([]);
  });

  it('stays beside later shares, up to five, the newest first', async () => {
    const at = Date.now();
    const texts = async () => (await readShared(ME, at + 10)).map(({ text }) => text);
    for (let n = 1; n <= 5; n++) await storeShared(shared({ text: `${n}`, at: at + n }));
    expect(await texts()).toEqual(['5', '4', '3', '2', '1']);
    await storeShared(shared({ text: '6', at: at + 6 }));
    expect(await texts()).toEqual(['6', '5', '4', '3', '2']);
    const [newest] = await readShared(ME, at + 10);
    await deleteShared(newest?.id ?? '');
    expect(await texts()).toEqual(['5', '4', '3', '2']);
  });

  it('is removed when the device is wiped', async () => {
    await storeShared(shared());
    await wipeDevice();
    expect(await indexedDB.databases()).toEqual([]);
  });
});
