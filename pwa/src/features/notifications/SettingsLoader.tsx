import { type ReactNode, useState } from 'react';
import { describeLoadError } from '@/api/client.ts';
import type { NotificationSettings } from '@/api/types.ts';
import { useDb } from '@/offline/store/cached.ts';
import { ErrorState, Skeleton } from '@/ui';
import { type Save, saveWithToast, useStoredSettings } from './settingsForm.ts';

type Children = (settings: NotificationSettings, save: Save) => ReactNode;

/** Renders its children once the settings are loaded, from the device or the server. */
export function SettingsLoader({ children }: { children: Children }) {
  const db = useDb();
  const settings = useStoredSettings();
  // Changes are shown at once; the stored settings have them a moment later.
  const [unsavedChanges, setUnsavedChanges] = useState<Partial<NotificationSettings>>({});

  async function save(patch: Partial<NotificationSettings>) {
    setUnsavedChanges((before) => ({ ...before, ...patch }));
    await saveWithToast(db, patch);
    // Keeps fields that were changed again meanwhile.
    setUnsavedChanges((now) => {
      const remaining = Object.entries(now).filter(
        ([field, value]) => patch[field as keyof typeof patch] !== value,
      );
      return Object.fromEntries(remaining);
    });
  }

  if (settings.data) return children({ ...settings.data, ...unsavedChanges }, save);
  if (settings.state !== 'error')
    return (
      <div aria-busy="true" className="flex flex-col gap-4">
        <Skeleton className="h-72 rounded-card" />
        <Skeleton className="h-32 rounded-card" />
      </div>
    );
  return (
    <ErrorState
      onRetry={settings.refresh}
      text={describeLoadError(settings.error)}
      title="Your settings could not be loaded"
    />
  );
}
