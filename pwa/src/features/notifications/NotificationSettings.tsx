import type { PushCategory, NotificationSettings as Settings } from '@/api/types.ts';
import { deviceTimeZone } from '@/base/timeZone.ts';
import { Skeleton, Switch } from '@/ui';
import { DeviceCard, useDeviceState } from './DeviceCard.tsx';
import { PulseTime } from './PulseTime.tsx';
import { PushDemo } from './PushDemo.tsx';
import { categories } from './pushCategories.ts';
import { QuietHours } from './QuietHours.tsx';
import { SettingsLoader } from './SettingsLoader.tsx';
import type { Save } from './settingsForm.ts';

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
            <PushDemo />
          </>
        )}
      </SettingsLoader>
    </div>
  );
}

/** A switch for each category of pushes. */
function CategorySwitches(props: SectionProps) {
  return (
    <section className="card p-5 lg:row-span-3">
      <h2 className="font-display font-semibold text-lg">Notify me about</h2>
      <p className="mt-1 text-muted text-sm">On all your devices.</p>
      <CategoryList {...props} />
      {props.settings.pulse && <PulseTime key={props.settings.pulseTime} {...props} />}
    </section>
  );
}

/** The reminder comes at a time of day, so it needs the zone of the device unless the quiet hours have one. */
const zoneFor = (category: PushCategory, { quietFrom }: Settings): Partial<Settings> =>
  category === 'pulse' && quietFrom === null ? { timeZone: deviceTimeZone() } : {};

function CategoryList({ settings, save }: SectionProps) {
  return (
    <div className="mt-2 divide-y divide-line">
      {categories
        .filter(({ category }) => category !== 'digest')
        .map(({ category, label, hint }) => (
          <Switch
            checked={settings[category]}
            className="py-3"
            hint={hint}
            key={category}
            label={label}
            onChange={(on) => save({ [category]: on, ...zoneFor(category, settings) })}
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
          hint={settings.sound ? 'If your device supports it.' : "Silent notifications can't vibrate."}
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
      <div className="mt-2 divide-y divide-line">
        <Switch
          checked={settings.digest}
          className="py-3"
          hint="Your week in short: new matches and likes, unread messages and planned dates. On Mondays, and only when there is something new."
          label="Weekly digest"
          onChange={(digest) => save({ digest })}
        />
        <Switch
          checked
          className="py-3"
          disabled
          hint="Sign-in codes, sign-ins on new devices and decisions about your account. Always on, because they keep your account safe."
          label="News about your account"
          onChange={() => undefined}
        />
        <Switch
          checked={settings.privateMail ?? false}
          className="py-3"
          hint="Leaves out names, and everything that people wrote. You read it here instead."
          label="No names or texts in emails"
          onChange={(privateMail) => save({ privateMail })}
        />
        <Switch
          checked={settings.discreetMail ?? false}
          className="py-3"
          hint="Sender and subject don't say Heartward, for everyone who sees your screen. Your mail program still shows our address."
          label="Discreet sender and subject"
          onChange={(discreetMail) => save({ discreetMail })}
        />
      </div>
    </section>
  );
}
