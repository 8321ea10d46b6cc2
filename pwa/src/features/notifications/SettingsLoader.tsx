import { type ReactNode, useState } from 'react';
import type { NotificationSettings } from '@/api/types.ts';
import { ErrorState, Skeleton } from '@/ui';
import { type Save, saveAndTell, useKeptSettings } from './save.ts';

type Children = (settings: NotificationSettings, save: Save) => ReactNode;

/** Shows its children once the settings are known; a device that has them needs no network. */
export function SettingsLoader({ children }: { children: Children }) {
  const settings = useKeptSettings();
  // What was just chosen is shown at once; the device's copy has it a moment later.
  const [ahead, setAhead] = useState<Partial<NotificationSettings>>({});

  async function save(patch: Partial<NotificationSettings>) {
    setAhead((before) => ({ ...before, ...patch }));
    await saveAndTell(patch);
    // Unless it was changed again meanwhile.
    setAhead((now) => {
      const left = Object.entries(now).filter(
        ([field, value]) => patch[field as keyof typeof patch] !== value,
      );
      return Object.fromEntries(left);
    });
  }

  if (settings.data) return children({ ...settings.data, ...ahead }, save);
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
      text="They are kept with your account. Check your connection and try again."
      title="Your settings could not be loaded"
    />
  );
}
