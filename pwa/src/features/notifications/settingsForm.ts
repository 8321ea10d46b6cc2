import type { NotificationSettings } from '@/api/types.ts';
import { saveSettings, storedSettings, syncSettings } from '@/domain/storedSettings.ts';
import { useCached } from '@/offline/store/cached.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { showFailure, toast } from '@/ui';

/** The notification settings, mirrored on the device. */
export const useStoredSettings = () =>
  useCached({ key: ['notification-settings'], read: storedSettings, refresh: syncSettings });

export type Save = (patch: Partial<NotificationSettings>) => Promise<void>;

/** Saves on the device and on the server, and shows a toast. */
export async function saveWithToast(db: HeartwardDb, patch: Partial<NotificationSettings>): Promise<void> {
  const saved = await saveSettings(db, patch).catch(showFailure);
  if (!saved) return;
  const description =
    saved === 'stored' ? "You're offline. Your other devices will get them later." : undefined;
  toast({ title: 'Settings saved', description });
}
