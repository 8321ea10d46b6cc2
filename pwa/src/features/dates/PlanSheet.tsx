import { type FormEvent, useId, useRef, useState } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { MAX_PROPOSE_DATE_NOTE, MAX_PROPOSE_DATE_PLACE } from '@/api/limits.gen.ts';
import { ApiError } from '@/api/request.ts';
import type { PlannedDate, UserCard } from '@/api/types.ts';
import { DAY_MS } from '@/base/format.ts';
import { deviceTimeZone, zoneLabel, zoneNames } from '@/base/timeZone.ts';
import { statedTimeZone } from '@/media/statedZone.ts';
import { Button, Select, Sheet, TextArea, TextField } from '@/ui';
import { changeDate, describeFailure, proposeDate } from './dates.ts';
import { dayOf, fieldsOf, instantOf, knownZone, timeOf, townOf } from './zonedTime.ts';

/** The conversation for a new date, or the date to change. */
export type PlanTarget = { conversation: { id: string; user: UserCard } } | { date: PlannedDate };

type Errors = Partial<Record<'place' | 'date' | 'clock' | 'zone' | 'note' | 'form', string>>;

/** The form of a date: place, time and a note. */
export default function PlanSheet({ target, onClose }: { target: PlanTarget; onClose: () => void }) {
  const existing = 'date' in target ? target.date : null;
  const { user } = 'date' in target ? target.date : target.conversation;
  // Only a device without a zone asks for it: others know where they are. None is preset, because it may be hours off.
  const [choosesZone] = useState(() => !existing && !statedTimeZone());
  const [chosenZone, setZone] = useState('');
  const zone = chosenZone || knownZone(existing?.timeZone ?? deviceTimeZone());
  const form = usePlanForm(target, zone, choosesZone && !chosenZone, onClose);
  const formId = useId();
  const today = fieldsOf(new Date().toISOString(), zone).date;
  const lastDay = fieldsOf(new Date(Date.now() + 365 * DAY_MS).toISOString(), zone).date;

  return (
    <Sheet
      actions={
        <>
          {form.errors.form && (
            <p className="basis-full text-danger text-sm" role="alert">
              {form.errors.form}
              {existing && form.isConflict && ` It is now: ${describeDate(existing)}.`}
            </p>
          )}
          <Button onClick={onClose} variant="secondary">
            Not now
          </Button>
          <Button busy={form.busy} form={formId} type="submit">
            {existing ? `Ask ${user.firstName} again` : `Ask ${user.firstName}`}
          </Button>
        </>
      }
      description={
        existing
          ? `${user.firstName} will be asked again; until then the date isn't agreed.`
          : `${user.firstName} can say yes, suggest a change, or decline.`
      }
      onClose={onClose}
      open
      title={existing ? 'Change the date' : `Plan a date with ${user.firstName}`}
    >
      <form className="flex flex-col gap-4" id={formId} noValidate onSubmit={form.submit}>
        <TextField
          autoComplete="off"
          error={form.errors.place}
          hint="A public place is a good place for a first date."
          label="Where"
          maxLength={MAX_PROPOSE_DATE_PLACE}
          {...form.field('place')}
        />
        <div className="grid gap-4 min-[400px]:grid-cols-2">
          <TextField
            error={form.errors.date}
            label="Day"
            max={lastDay}
            min={today}
            type="date"
            {...form.field('date')}
          />
          <TextField
            error={form.errors.clock}
            hint={choosesZone ? undefined : `${townOf(zone)} time`}
            label="Time"
            type="time"
            {...form.field('clock')}
          />
        </div>
        {choosesZone && (
          <Select
            error={form.errors.zone}
            hint="This device doesn't tell us its time zone. Please choose the one of the place."
            label="Time zone"
            onChange={(event) => setZone(event.target.value)}
            value={chosenZone}
          >
            <option disabled hidden value="">
              Choose a time zone
            </option>
            {zoneNames().map((name) => (
              <option key={name} value={name}>
                {zoneLabel(name)}
              </option>
            ))}
          </Select>
        )}
        <TextArea
          count={form.values.note.length}
          error={form.errors.note}
          label="Add a note (optional)"
          maxLength={MAX_PROPOSE_DATE_NOTE}
          {...form.field('note')}
        />
      </form>
    </Sheet>
  );
}

type Values = { place: string; date: string; clock: string; note: string };

/** The form's state. Until a zone is chosen that must be, `zone` is only that of the first and the last day. */
function usePlanForm(target: PlanTarget, zone: string, isZoneMissing: boolean, onDone: () => void) {
  const existing = 'date' in target ? target.date : null;
  const [values, setValues] = useState<Values>(() =>
    existing
      ? { place: existing.place, note: existing.note, ...fieldsOf(existing.at, zone) }
      : { place: '', date: '', clock: '19:00', note: '' },
  );
  const [errors, setErrors] = useState<Errors>({});
  const [busy, setBusy] = useState(false);
  // The other member has changed the date first; its new state is shown beside the form.
  const [isConflict, setConflict] = useState(false);
  // The same for every retry of one plan, so that a lost response causes neither a second date nor a second change.
  const attempt = useRef<{ clientId: string; date: PlannedDate | null } | null>(null);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const at = instantOf(values.date, values.clock, zone);
    const errorsFound = {
      ...check(values, at),
      ...(isZoneMissing && { zone: 'Please choose a time zone.' }),
    };
    setErrors(errorsFound);
    if (!at || Object.keys(errorsFound).length > 0) return;
    setBusy(true);
    setConflict(false);
    attempt.current ??= { clientId: uuidv7(), date: existing };
    const { clientId, date } = attempt.current;
    const plan = { place: values.place.trim(), at, timeZone: zone, note: values.note.trim() };
    try {
      if ('conversation' in target) await proposeDate(target.conversation.id, clientId, plan);
      else await changeDate(date ?? target.date, plan);
      onDone();
    } catch (error) {
      // The server has rejected the plan, so the next attempt starts from the current date.
      if (error instanceof ApiError && !error.isTemporary) attempt.current = null;
      setConflict(error instanceof ApiError && error.status === 409);
      setErrors(errorsOf(error));
      setBusy(false);
    }
  }

  const field = (name: keyof Values) => ({
    value: values[name],
    onChange: ({ target }: { target: { value: string } }) => {
      // A changed plan is a new attempt, because the earlier one may have been stored.
      attempt.current = null;
      setValues((before) => ({ ...before, [name]: target.value }));
    },
  });
  return { values, errors, isConflict, busy, field, submit };
}

/** Returns the errors of the form; the server checks again. */
export function check({ place, date, clock }: Values, at: string | null, now = Date.now()): Errors {
  const errors: Errors = {};
  if (!place.trim()) errors.place = 'Please say where you would like to meet.';
  if (!date) errors.date = 'Please choose a day.';
  if (!clock) errors.clock = 'Please choose a time.';
  if (errors.date || errors.clock) return errors;
  if (!at) errors.date = 'Please choose a day.';
  else if (Date.parse(at) <= now) errors.date = 'Please choose a time that is still to come.';
  return errors;
}

const describeDate = ({ place, at, timeZone }: PlannedDate) =>
  `${place}, ${dayOf(at, timeZone)}, ${timeOf(at, timeZone)}`;

function errorsOf(error: unknown): Errors {
  if (!(error instanceof ApiError) || error.status !== 422) return { form: describeFailure(error) };
  const { place, at, note } = error.fieldErrors;
  if (!place && !at && !note) return { form: error.message };
  return { place, date: at, note };
}
