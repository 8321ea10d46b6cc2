/**
 * The caches of members' photos and video posters, which the service worker fills. Each name contains the member's id.
 */
export const FILE_CACHE_PREFIX = 'hw-files-';

const listFileCaches = async (): Promise<string[]> =>
  'caches' in globalThis ? (await caches.keys()).filter((name) => name.startsWith(FILE_CACHE_PREFIX)) : [];

/** Deletes the file caches of all members, or of all but one. Returns whether there were any. */
export async function deleteFileCaches(exceptMember?: string): Promise<boolean> {
  const names = await listFileCaches();
  const deleted = exceptMember
    ? names.filter((name) => !name.startsWith(FILE_CACHE_PREFIX + exceptMember))
    : names;
  await Promise.all(deleted.map((name) => caches.delete(name)));
  return deleted.length > 0;
}

/** Removes single files, named by their addresses, from every cache. */
export async function deleteCachedFiles(addresses: readonly string[]): Promise<void> {
  if (addresses.length === 0) return;
  for (const name of await listFileCaches()) {
    const cache = await caches.open(name);
    await Promise.all(addresses.map((address) => cache.delete(address)));
  }
}
