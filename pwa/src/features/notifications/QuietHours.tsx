import { useId, useState } from 'react';
import type { NotificationSettings } from '@/api/types.ts';
import { deviceTimeZone, zoneLabel, zoneNames } from '@/base/timeZone.ts';
import { statedTimeZone } from '@/media/statedZone.ts';
import { Select, Switch, TextField } from '@/ui';
import type { Save } from './settingsForm.ts';

const DEFAULT_HOURS = { quietFrom: '22:00', quietTo: '07:00' };

/** The daily hours without notifications, in one time zone. */
export function QuietHours({ settings, save }: { settings: NotificationSettings; save: Save }) {
  const { quietFrom, quietTo, timeZone } = settings;
  const on = quietFrom !== null && quietTo !== null;
  const change = (yes: boolean) =>
    save(yes ? { ...DEFAULT_HOURS, timeZone: deviceTimeZone() } : { quietFrom: null, quietTo: null });
  return (
    <section className="card p-5">
      <Switch
        checked={on}
        hint="No notifications at night. In the morning you get one summary of what's unread."
        label={<span className="font-display font-semibold text-lg">Quiet hours</span>}
        onChange={change}
      />
      {on && (
        <div className="mt-4 grid gap-4 min-[520px]:grid-cols-2">
          <TimeField
            key={quietFrom}
            label="From"
            onChange={(time) => save({ quietFrom: time })}
            other={quietTo}
            value={quietFrom}
          />
          <TimeField
            key={`to ${quietTo}`}
            label="Until"
            onChange={(time) => save({ quietTo: time })}
            other={quietFrom}
            value={quietTo}
          />
          <div className="min-[520px]:col-span-2">
            <Select
              hint={hintOf(timeZone)}
              label="Time zone"
              onChange={(event) => save({ timeZone: event.target.value })}
              value={timeZone}
            >
              {zoneNames(timeZone, deviceTimeZone()).map((zone) => (
                <option key={zone} value={zone}>
                  {zoneLabel(zone)}
                </option>
              ))}
            </Select>
          </div>
        </div>
      )}
    </section>
  );
}

function hintOf(timeZone: string): string {
  const own = statedTimeZone();
  if (!own) return "This device doesn't tell us its time zone. Please choose yours.";
  return timeZone === own ? "This device's time zone." : `This device is in ${zoneLabel(own)}.`;
}

type TimeFieldProps = {
  label: string;
  value: string;
  /** The other end of the quiet hours, which must differ. */
  other: string;
  onChange: (time: string) => void;
};

/** A time field that saves on blur, not with each digit. */
function TimeField({ label, value, other, onChange }: TimeFieldProps) {
  const id = useId();
  const [time, setTime] = useState(value);
  const error = !time
    ? 'Choose a time.'
    : time === other
      ? 'Quiet hours need a start and an end.'
      : undefined;
  return (
    <TextField
      error={error}
      id={id}
      label={label}
      onBlur={() => !error && time !== value && onChange(time)}
      onChange={(event) => setTime(event.target.value.slice(0, 5))}
      required
      type="time"
      value={time}
    />
  );
}
