import type { NotificationSettings as Settings } from '@/api/types.ts';
import { Skeleton, Switch } from '@/ui';
import { categories } from './categories.ts';
import { DeviceCard, useDeviceState } from './DeviceCard.tsx';
import { PushDemo } from './PushDemo.tsx';
import { QuietHours } from './QuietHours.tsx';
import { SettingsLoader } from './SettingsLoader.tsx';
import type { Save } from './settings.ts';

type SectionProps = { settings: Settings; save: Save };

/** The Notifications tab of the settings: this device, then the settings for all devices. */
export function NotificationSettings() {
  const { data: state, refetch } = useDeviceState();
  // The height of the card depends on the state, and the other settings are below it.
  if (!state) return <Skeleton className="h-80 rounded-card" />;
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2 lg:grid-rows-[auto_auto_1fr]">
      <DeviceCard refetch={refetch} state={state} />
      <SettingsLoader>
        {(settings, save) => (
          <>
            <CategorySwitches save={save} settings={settings} />
            <QuietHours save={save} settings={settings} />
            <SoundSwitches save={save} settings={settings} />
            <EmailSwitch save={save} settings={settings} />
          </>
        )}
      </SettingsLoader>
      <PushDemo />
    </div>
  );
}

/** The categories that are sent, and those that are not sent yet. */
function CategorySwitches(props: SectionProps) {
  return (
    <section className="card p-5 lg:row-span-3">
      <h2 className="font-display font-semibold text-lg">Notify me about</h2>
      <p className="mt-1 text-muted text-sm">On all your devices.</p>
      <CategoryList {...props} sent />
      <h3 className="mt-5 font-semibold">Not sent yet</h3>
      <p className="mt-1 text-muted text-sm">Your choice counts from the day we start.</p>
      <CategoryList {...props} sent={false} />
    </section>
  );
}

function CategoryList({ settings, save, sent }: SectionProps & { sent: boolean }) {
  return (
    <div className="mt-2 divide-y divide-line">
      {categories
        .filter(({ category, isSent }) => isSent === sent && category !== 'digest')
        .map(({ category, label, hint }) => (
          <Switch
            checked={settings[category]}
            className="py-3"
            hint={hint}
            key={category}
            label={label}
            onChange={(on) => save({ [category]: on })}
          />
        ))}
    </div>
  );
}

function SoundSwitches({ settings, save }: SectionProps) {
  return (
    <section className="card p-5">
      <h2 className="font-display font-semibold text-lg">Sound and vibration</h2>
      <div className="mt-2 divide-y divide-line">
        <Switch
          checked={settings.sound}
          className="py-3"
          hint="When off, notifications are silent."
          label="Sound"
          onChange={(sound) => save({ sound })}
        />
        <Switch
          checked={settings.sound && settings.vibration}
          className="py-3"
          disabled={!settings.sound}
          hint={
            settings.sound
              ? 'If your device supports it.'
              : 'Silent notifications do not vibrate: browsers know no in-between.'
          }
          label="Vibration"
          onChange={(vibration) => save({ vibration })}
        />
      </div>
    </section>
  );
}

function EmailSwitch({ settings, save }: SectionProps) {
  return (
    <section className="card scroll-mt-20 p-5" id="email">
      <h2 className="font-display font-semibold text-lg">Email Notifications</h2>
      <p className="mt-1 text-muted text-sm">
        We send sign-in codes and account notices. The digest is not sent yet; your choice counts from the day
        we start.
      </p>
      <Switch
        checked={settings.digest}
        className="mt-2 py-3"
        hint="Your week in short: new matches, likes and stories."
        label="Weekly digest"
        onChange={(digest) => save({ digest })}
      />
    </section>
  );
}
