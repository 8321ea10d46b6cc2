import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { deleteShared, readShared, type Shared, storeShared } from '../src/offline/device/shared.ts';
import { wipeDevice } from '../src/offline/device/wipe.ts';
import { fakeCaches, freshDb, ME } from '../src/offline/testkit.ts';
import { isShare, receiveShared } from './share.ts';

const picture = (name: string, type = 'image/jpeg', content = 'pixels') =>
  new File([content], name, { type });

/** The form that the browser posts. */
function shareForm(fields: Record<string, string>, files: File[] = []) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const file of files) form.append('pictures', file);
  return { formData: async () => form };
}

async function redirectOf(request: Parameters<typeof receiveShared>[0]): Promise<string> {
  const { status, headers } = await receiveShared(request);
  expect(status).toBe(303);
  return headers.get('Location')?.replace(location.origin, '') ?? '';
}

const shared = (change: Partial<Shared> = {}): Shared => ({
  text: 'words',
  pictures: [],
  omitted: 0,
  member: ME,
  at: Date.now(),
  ...change,
});

beforeEach(async () => {
  vi.stubGlobal('caches', fakeCaches());
  await freshDb();
  await deleteShared();
});

describe('content shared from another app', () => {
  it('is stored for the member, and the response redirects with GET', async () => {
    expect(await redirectOf(shareForm({ text: ' Look at this ', url: 'https://example.test/a' }))).toBe(
      '/share',
    );
    expect(await readShared(ME)).toMatchObject({
      text: 'Look at this\nhttps://example.test/a',
      pictures: [],
      omitted: 0,
      member: ME,
    });
  });

  it.each([
    ['the address once', { text: 'See https://a.test', url: 'https://a.test' }, 'See https://a.test'],
    ['the title if it has no other text', { title: 'Owls', url: 'https://a.test' }, 'Owls\nhttps://a.test'],
    ['no title beside another text', { title: 'Owls', text: 'Look' }, 'Look'],
    ['at most the length of a message', { text: '🌮'.repeat(4001) }, '🌮'.repeat(4000)],
  ])('has %s', async (_, fields, text) => {
    await receiveShared(shareForm(fields));
    expect((await readShared(ME))?.text).toBe(text);
  });

  it('has at most ten pictures and no other files', async () => {
    const twelvePictures = Array.from({ length: 12 }, (_, index) => picture(`${index}.jpg`));
    const files = [
      picture('a.pdf', 'application/pdf'),
      picture('empty.jpg', 'image/jpeg', ''),
      ...twelvePictures,
    ];
    await receiveShared(shareForm({}, files));
    const stored = await readShared(ME);
    expect([stored?.pictures.length, stored?.omitted]).toEqual([10, 2]);
  });

  it('is not stored when it is empty', async () => {
    expect(await redirectOf(shareForm({ text: ' ' }, [picture('a.pdf', 'application/pdf')]))).toBe('/share');
    expect(await readShared(ME)).toBeNull();
  });

  it('redirects to an error when it cannot be stored', async () => {
    const broken = { formData: () => Promise.reject(new TypeError('no form')) };
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
    expect(await readShared(ME, at + 59 * 60_000)).toMatchObject({ text: 'words' });
    expect(await readShared(ME, at + 61 * 60_000)).toBeNull();
    expect(await readShared(ME, at)).toBeNull();
  });

  it('is not available to another member, whose read deletes it', async () => {
    await storeShared(shared());
    expect(await readShared('another')).toBeNull();
    expect(await readShared(ME)).toBeNull();
  });

  it('is replaced by the next share', async () => {
    await storeShared(shared({ text: 'first' }));
    await storeShared(shared({ text: 'second' }));
    expect((await readShared(ME))?.text).toBe('second');
  });

  it('is removed when the device is wiped', async () => {
    await storeShared(shared());
    await wipeDevice();
    expect(await indexedDB.databases()).toEqual([]);
  });
});
