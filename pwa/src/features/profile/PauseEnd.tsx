import { useState } from 'react';
import { Button, Select, TextField, useForm } from '@/ui';
import { daysLater, endDays, formatPauseEnd, startOfDay } from './pause.ts';

const lengths: Record<string, number> = { '1 day': 1, '3 days': 3, '1 week': 7 };

type PauseEndProps = {
  /** The end of the pause; null if it has none. */
  until: string | null;
  busy: boolean;
  onChange: (until: string | null) => void;
};

/** Shows and sets the end of the pause: none, after some days, or at the beginning of a day. */
export function PauseEnd({ until, busy, onChange }: PauseEndProps) {
  const [isChoosingDay, setChoosingDay] = useState(false);

  function choose(option: string) {
    setChoosingDay(option === 'day');
    const days = lengths[option];
    if (days) onChange(daysLater(days));
    else if (option === 'none') onChange(null);
  }

  return (
    <div className="grid gap-4 pb-4 min-[520px]:grid-cols-2">
      <Select
        disabled={busy}
        hint={until && 'New people will see you again after that.'}
        label="How long"
        onChange={(event) => choose(event.target.value)}
        value={isChoosingDay ? 'day' : until ? 'current' : 'none'}
      >
        {until && <option value="current">Until {formatPauseEnd(until)}</option>}
        <option value="none">Until I turn it off</option>
        {Object.keys(lengths).map((length) => (
          <option key={length}>{length}</option>
        ))}
        <option value="day">Until a date…</option>
      </Select>
      {isChoosingDay && (
        <DayForm
          busy={busy}
          onChoose={(day) => {
            setChoosingDay(false);
            onChange(startOfDay(day));
          }}
        />
      )}
    </div>
  );
}

function DayForm({ busy, onChoose }: { busy: boolean; onChoose: (day: string) => void }) {
  const { first, last } = endDays();
  const form = useForm(
    { day: '' },
    {
      check: ({ day }) => ({
        day: day >= first && day <= last ? undefined : 'Choose a day within the next year.',
      }),
    },
  );

  return (
    <form className="flex items-start gap-3" noValidate onSubmit={form.submit(({ day }) => onChoose(day))}>
      <div className="min-w-0 flex-1">
        <TextField label="Back on" max={last} min={first} type="date" {...form.field('day')} />
      </div>
      <Button busy={busy} className="mt-7" type="submit">
        Save
      </Button>
    </form>
  );
}
