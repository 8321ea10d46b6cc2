import { useState } from 'react';
import type { NotificationSettings } from '@/api/types.ts';
import { TextField } from '@/ui';
import type { Save } from './settingsForm.ts';

/** The time of the Love Pulse's reminder. It saves on blur, not with each digit. */
export function PulseTime({ settings, save }: { settings: NotificationSettings; save: Save }) {
  const { pulseTime, timeZone } = settings;
  const [time, setTime] = useState(pulseTime);
  return (
    <div className="pb-3">
      <TextField
        error={time ? undefined : 'Choose a time.'}
        hint={`Once a day, in ${timeZone.replaceAll('_', ' ')}. Quiet hours hold it back.`}
        label="Remind me at"
        onBlur={() => time && time !== pulseTime && void save({ pulseTime: time })}
        onChange={(event) => setTime(event.target.value.slice(0, 5))}
        required
        type="time"
        value={time}
      />
    </div>
  );
}
