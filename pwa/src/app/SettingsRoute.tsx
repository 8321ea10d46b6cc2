import { Suspense } from 'react';
import { useSearchParams } from 'react-router';
import { FiltersSettings } from '@/features/discovery/FiltersSettings.tsx';
import { refreshSearch } from '@/features/discovery/filters.ts';
import { PrivacySettings } from '@/features/members/PrivacySettings.tsx';
import { VisitSettings } from '@/features/members/VisitSettings.tsx';
import { BlockedMembers } from '@/features/moderation/BlockedMembers.tsx';
import { MediaSettings } from '@/features/notifications/MediaSettings.tsx';
import { NotificationSettings } from '@/features/notifications/NotificationSettings.tsx';
import { paths, type SettingsTab, settingsTabs } from '@/session/paths.ts';
import { lazyWithRetry, Screen, Tabs } from '@/ui';
import { Appearance } from './Appearance.tsx';

const Install = lazyWithRetry(() => import('./Install.tsx'));

const isTab = (value: string | null): value is SettingsTab => settingsTabs.includes(value as SettingsTab);

/** /settings?tab=…: the settings, each tab provided by a feature. */
export default function SettingsRoute() {
  const [search, setSearch] = useSearchParams();
  const requestedTab = search.get('tab');
  const tab = isTab(requestedTab) ? requestedTab : 'notifications';
  return (
    <Screen back={paths.home} title="Settings">
      <Tabs
        label="Settings"
        onChange={(next) => setSearch({ tab: next }, { replace: true })}
        tabs={[
          { value: 'notifications', label: 'Notifications', content: <Notifications /> },
          { value: 'appearance', label: 'Appearance', content: <Appearance /> },
          { value: 'filters', label: 'Filters', content: <Filters /> },
          { value: 'media', label: 'Media', content: <MediaSettings /> },
          { value: 'privacy', label: 'Privacy', content: <Privacy /> },
        ]}
        value={tab}
      />
    </Screen>
  );
}

function Notifications() {
  return (
    <div className="flex flex-col gap-4">
      <Suspense fallback={null}>
        <Install place="settings" />
      </Suspense>
      <NotificationSettings />
    </div>
  );
}

function Filters() {
  return (
    <div className="flex flex-col gap-4">
      <VisitSettings onChange={refreshSearch} />
      <FiltersSettings />
    </div>
  );
}

function Privacy() {
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
      <PrivacySettings />
      <BlockedMembers />
    </div>
  );
}
