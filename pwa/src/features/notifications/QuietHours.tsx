import { useId, useState } from 'react';
import type { NotificationSettings } from '@/api/types.ts';
import { Select, Switch, TextField } from '@/ui';
import type { Save } from './save.ts';

const USUAL = { quietFrom: '22:00', quietTo: '07:00' };

const deviceZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** All zones the device can name, with the chosen one and its own, whatever they are. */
function zones(chosen: string): string[] {
  return [...new Set([chosen, deviceZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')])].sort();
}

const zoneName = (zone: string) => zone.replaceAll('_', ' ');

/** Hours without a push, by the clock of one place; what came meanwhile is told at their end. */
export function QuietHours({ settings, save }: { settings: NotificationSettings; save: Save }) {
  const { quietFrom, quietTo, timeZone } = settings;
  const on = quietFrom !== null && quietTo !== null;
  const change = (yes: boolean) =>
    save(yes ? { ...USUAL, timeZone: deviceZone() } : { quietFrom: null, quietTo: null });
  return (
    <section className="card p-5">
      <Switch
        checked={on}
        hint="Nothing is pushed at night. In the morning you hear once of what is still unread."
        label={<span className="font-display font-semibold text-lg">Quiet hours</span>}
        onChange={change}
      />
      {on && (
        <div className="mt-4 grid gap-4 min-[520px]:grid-cols-2">
          <Time
            key={quietFrom}
            label="From"
            onChange={(time) => save({ quietFrom: time })}
            other={quietTo}
            value={quietFrom}
          />
          <Time
            key={`to ${quietTo}`}
            label="Until"
            onChange={(time) => save({ quietTo: time })}
            other={quietFrom}
            value={quietTo}
          />
          <div className="min-[520px]:col-span-2">
            <Select
              hint={
                timeZone === deviceZone()
                  ? 'The zone of this device.'
                  : `This device is in ${zoneName(deviceZone())}.`
              }
              label="Time zone"
              onChange={(event) => save({ timeZone: event.target.value })}
              value={timeZone}
            >
              {zones(timeZone).map((zone) => (
                <option key={zone} value={zone}>
                  {zoneName(zone)}
                </option>
              ))}
            </Select>
          </div>
        </div>
      )}
    </section>
  );
}

type TimeProps = {
  label: string;
  value: string;
  /** The other end, which must be another time. */
  other: string;
  onChange: (time: string) => void;
};

/** Saved when the member has finished typing it, not at every digit. */
function Time({ label, value, other, onChange }: TimeProps) {
  const id = useId();
  const [time, setTime] = useState(value);
  const error = !time
    ? 'Choose a time.'
    : time === other
      ? 'Quiet hours need a beginning and an end.'
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
