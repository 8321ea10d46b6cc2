import type { ReactNode } from 'react';
import type { NotificationSettings } from '@/api/types.ts';
import { ErrorState, Skeleton } from '@/ui';
import { useKeptSettings } from './useSave.ts';

/** Shows its children once the settings are known; a device that has them needs no network. */
export function SettingsLoader({ children }: { children: (settings: NotificationSettings) => ReactNode }) {
  const settings = useKeptSettings();
  if (settings.data) return children(settings.data);
  if (settings.state !== 'error')
    return (
      <div aria-busy="true" className="flex flex-col gap-4">
        <Skeleton className="h-72 rounded-card" />
        <Skeleton className="h-32 rounded-card" />
      </div>
    );
  return (
    <ErrorState
      onRetry={() => void settings.refresh()}
      text="They are kept with your account. Check your connection and try again."
      title="Your settings could not be loaded"
    />
  );
}
