import type { NotificationSettings } from '@/api/types.ts';
import { Switch } from '@/ui';
import { SettingsLoader } from './SettingsLoader.tsx';

type Toggle = { field: MediaField; label: string; hint: string };
type MediaField = Extract<
  keyof NotificationSettings,
  | 'autoplayVoice'
  | 'autoplayVideo'
  | 'downloadForOffline'
  | 'highQualityMedia'
  | 'voiceMessageNotifications'
  | 'videoMessageNotifications'
>;

const groups: { title: string; toggles: Toggle[] }[] = [
  {
    title: 'Playing',
    toggles: [
      {
        field: 'autoplayVoice',
        label: 'Autoplay voice messages',
        hint: 'Plays the next one automatically.',
      },
      {
        field: 'autoplayVideo',
        label: 'Autoplay video messages',
        hint: 'Muted, while on screen.',
      },
    ],
  },
  {
    title: 'Storing and sending',
    toggles: [
      {
        field: 'downloadForOffline',
        label: 'Download for offline',
        hint: "Keeps what you've played on this device for offline use.",
      },
      {
        field: 'highQualityMedia',
        label: 'High quality media',
        hint: 'Sharper pictures and recordings; they take longer to send.',
      },
    ],
  },
  {
    title: 'Media notifications',
    toggles: [
      {
        field: 'voiceMessageNotifications',
        label: 'Voice message notifications',
        hint: "When off, voice messages don't notify you.",
      },
      {
        field: 'videoMessageNotifications',
        label: 'Video message notifications',
        hint: "When off, video messages don't notify you.",
      },
    ],
  },
];

/** The Media tab of the settings. */
export function MediaSettings() {
  return (
    <SettingsLoader>
      {(settings, save) => (
        <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
          {groups.map(({ title, toggles }) => (
            <section className="card p-5" key={title}>
              <h2 className="font-display font-semibold text-lg">{title}</h2>
              <div className="mt-2 divide-y divide-line">
                {toggles.map(({ field, label, hint }) => (
                  <Switch
                    checked={settings[field]}
                    className="py-3"
                    hint={hint}
                    key={field}
                    label={label}
                    onChange={(on) => save({ [field]: on })}
                  />
                ))}
              </div>
            </section>
          ))}
        </div>
      )}
    </SettingsLoader>
  );
}
