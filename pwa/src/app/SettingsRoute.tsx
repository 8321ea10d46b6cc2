import { useSearchParams } from 'react-router';
import { DeviceKeeping } from '@/features/account/DeviceKeeping.tsx';
import { FiltersSettings } from '@/features/discovery/FiltersSettings.tsx';
import { refreshSearch } from '@/features/discovery/filters.ts';
import { BlockedAddresses } from '@/features/moderation/BlockedAddresses.tsx';
import { BlockedMembers } from '@/features/moderation/BlockedMembers.tsx';
import { MediaSettings } from '@/features/notifications/MediaSettings.tsx';
import { NotificationSettings } from '@/features/notifications/NotificationSettings.tsx';
import { PrivacySettings } from '@/features/profile/PrivacySettings.tsx';
import { VisitSettings } from '@/features/visits/VisitSettings.tsx';
import { paths, type SettingsTab, settingsTabs } from '@/session/paths.ts';
import { useMember } from '@/session/session.ts';
import { ButtonLink, Screen, Tabs } from '@/ui';
import { Appearance } from './Appearance.tsx';
import { InstallCard } from './InstallCard.tsx';
import { useInstallMethod } from './install.ts';

const isTab = (value: string | null): value is SettingsTab => settingsTabs.includes(value as SettingsTab);

/** /settings?tab=…: the settings, each tab provided by a feature. */
export default function SettingsRoute() {
  const { isAdmin, isModerator } = useMember();
  const [search, setSearch] = useSearchParams();
  const requestedTab = search.get('tab');
  const tab = isTab(requestedTab) ? requestedTab : 'notifications';
  return (
    <Screen
      actions={
        (isAdmin || isModerator) && (
          <ButtonLink size="sm" to={paths.admin} variant="ghost">
            Admin dashboard
          </ButtonLink>
        )
      }
      back={paths.home}
      backToPrevious
      title="Settings"
    >
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
  const method = useInstallMethod();
  return (
    <div className="flex flex-col gap-4">
      {/* On iOS, notifications need the installed app. */}
      {method === 'ios' && <InstallCard method={method} />}
      <NotificationSettings />
      {/* The browser offers its prompt late, so that the card must be below the settings. */}
      {method === 'prompt' && <InstallCard method={method} />}
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
      <div className="flex flex-col gap-4">
        <PrivacySettings />
        <DeviceKeeping />
      </div>
      <div className="flex flex-col gap-4">
        <BlockedMembers />
        <BlockedAddresses />
      </div>
    </div>
  );
}
