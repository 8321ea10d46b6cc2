/** What the member chose about pictures and recordings; the device keeps a copy for when there is no network. */
import { api, unwrap } from '@/api/client.ts';
import { useCached } from '@/offline/cached.ts';
import type { HeartwardDb } from '@/offline/db.ts';

export type MediaSettings = {
  /** The next voice of the other member follows the one that was started. */
  autoplayVoice: boolean;
  /** Videos move without sound while they are in view. */
  autoplayVideo: boolean;
  /** What was heard or seen is kept on this device. */
  downloadForOffline: boolean;
  highQualityMedia: boolean;
};

const usual: MediaSettings = {
  autoplayVoice: true,
  autoplayVideo: false,
  downloadForOffline: true,
  highQualityMedia: true,
};
const KEY = 'notification-settings';

async function read(db: HeartwardDb): Promise<MediaSettings> {
  return { ...usual, ...((await db.meta.get(KEY))?.value as Partial<MediaSettings> | undefined) };
}

async function refresh(db: HeartwardDb, signal: AbortSignal): Promise<void> {
  const value = await unwrap(api.GET('/api/notifications/settings', { signal }));
  await db.meta.put({ key: KEY, value });
}

/** The member's choice, as far as this device knows it. */
export function useMediaSettings(): MediaSettings {
  return useCached({ key: [KEY], read, refresh, staleMs: 300_000 }).data ?? usual;
}
