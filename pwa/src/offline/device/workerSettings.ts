/**
 * The settings of this device's notifications, for the worker, which has no localStorage: it renews a subscription while the
 * app is closed, and the server may have deleted the settings with the old one. They are stored in the cache that names
 * the member (marker.ts).
 */
import type { PushCategory } from '../../api/types.ts';
import { MARKER_CACHE } from './marker.ts';

/** `categories` is null if the device gets all that the member has turned on. */
type WorkerSettings = { hidesContent: boolean; categories: PushCategory[] | null };

const PATH = '/hw-hides-content';

export async function storeWorkerSettings(settings: WorkerSettings): Promise<void> {
  if (!('caches' in globalThis)) return;
  const cache = await caches.open(MARKER_CACHE);
  if (settings.hidesContent || settings.categories) await cache.put(PATH, Response.json(settings));
  else await cache.delete(PATH);
}

export async function readWorkerSettings(): Promise<WorkerSettings> {
  const stored = await caches.match(PATH, { cacheName: MARKER_CACHE });
  if (!stored) return { hidesContent: false, categories: null };
  const settings: WorkerSettings | 1 = await stored.json();
  // Earlier versions have stored 1, and only on a device that hides names and texts.
  return settings === 1 ? { hidesContent: true, categories: null } : settings;
}
