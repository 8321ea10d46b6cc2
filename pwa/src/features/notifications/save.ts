import { describeError } from '@/api/client.ts';
import type { NotificationSettings } from '@/api/types.ts';
import { useCached } from '@/offline/store/cached.ts';
import { getDb } from '@/offline/store/db.ts';
import { saveSettings, storedSettings, syncSettings } from '@/offline/sync/settings.ts';
import { toast, toastError } from '@/ui';

/** The settings for the screens that change them. */
export const useKeptSettings = () =>
  useCached({ key: ['notification-settings'], read: storedSettings, refresh: syncSettings });

export type Save = (patch: Partial<NotificationSettings>) => Promise<void>;

/** Saves here and at the server, and says so. */
export const saveAndTell: Save = async (patch) => {
  try {
    const stored = (await saveSettings(getDb(), patch)) === 'stored';
    const description = stored ? "You're offline: this device has them, the others will." : undefined;
    toast({ title: 'Settings saved', description });
  } catch (error) {
    toastError(describeError(error));
  }
};
