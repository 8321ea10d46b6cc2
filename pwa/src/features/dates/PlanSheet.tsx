import { useId, useRef, useState } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { MAX_PROPOSE_DATE_NOTE, MAX_PROPOSE_DATE_PLACE } from '@/api/limits.gen.ts';
import { ApiError } from '@/api/request.ts';
import type { PlannedDate, UserCard } from '@/api/types.ts';
import { DAY_MS } from '@/base/format.ts';
import { deviceTimeZone, zoneLabel, zoneNames } from '@/base/timeZone.ts';
import { statedTimeZone } from '@/media/statedZone.ts';
import { useDb } from '@/offline/store/cached.ts';
import { Button, type Errors, type Form, Select, Sheet, TextArea, TextField, useForm } from '@/ui';
import { changeDate, describeFailure, proposeDate } from './dates.ts';
import { dayOf, fieldsOf, instantOf, knownZone, timeOf, townOf } from './zonedTime.ts';

/** The conversation for a new date, or the date to change. */
export type PlanTarget = { conversation: { id: string; user: UserCard } } | { date: PlannedDate };

type Values = {
  place: string;
  date: string;
  clock: string;
  /** The chosen time zone; empty for that of the device or of the date. */
  zone: string;
  note: string;
};

/** The form of a date: place, time and a note. */
export default function PlanSheet({ target, onClose }: { target: PlanTarget; onClose: () => void }) {
  const existing = 'date' in target ? target.date : null;
  const { user } = 'date' in target ? target.date : target.conversation;
  const { form, zone, choosesZone, isConflict, submit } = usePlanForm(target, onClose);
  const formId = useId();

  return (
    <Sheet
      actions={
        <>
          {form.error && (
            <p className="basis-full text-danger text-sm" role="alert">
              {form.error}
              {existing && isConflict && ` It is now: ${describeDate(existing)}.`}
            </p>
          )}
          <Button onClick={onClose} variant="secondary">
            Not now
          </Button>
          <Button busy={form.isBusy} form={formId} type="submit">
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
      <form className="flex flex-col gap-4" id={formId} noValidate onSubmit={submit}>
        <TextField
          autoComplete="off"
          hint="A public place is a good place for a first date."
          label="Where"
          maxLength={MAX_PROPOSE_DATE_PLACE}
          {...form.field('place')}
        />
        <TimeFields choosesZone={choosesZone} form={form} zone={zone} />
        <TextArea
          count={form.values.note.length}
          label="Add a note (optional)"
          maxLength={MAX_PROPOSE_DATE_NOTE}
          {...form.field('note')}
        />
      </form>
    </Sheet>
  );
}

type TimeFieldsProps = { form: Form<Values>; zone: string; choosesZone: boolean };

/** The day and the time, and the time zone if it must be chosen. */
function TimeFields({ form, zone, choosesZone }: TimeFieldsProps) {
  const today = fieldsOf(new Date().toISOString(), zone).date;
  const lastDay = fieldsOf(new Date(Date.now() + 365 * DAY_MS).toISOString(), zone).date;
  return (
    <>
      <div className="grid gap-4 min-[400px]:grid-cols-2">
        <TextField label="Day" max={lastDay} min={today} type="date" {...form.field('date')} />
        <TextField
          hint={choosesZone ? undefined : `${townOf(zone)} time`}
          label="Time"
          type="time"
          {...form.field('clock')}
        />
      </div>
      {choosesZone && (
        <Select
          hint="This device doesn't tell us its time zone. Please choose the one of the place."
          label="Time zone"
          {...form.field('zone')}
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
    </>
  );
}

/** The form's values and its requests. */
function usePlanForm(target: PlanTarget, onDone: () => void) {
  const db = useDb();
  const existing = 'date' in target ? target.date : null;
  const ownZone = knownZone(existing?.timeZone ?? deviceTimeZone());
  // Only a device without a zone asks for it: others know where they are. None is preset, because it may be hours off.
  const [choosesZone] = useState(() => !existing && !statedTimeZone());
  // The other member has changed the date first; its new state is shown beside the form.
  const [isConflict, setConflict] = useState(false);
  // The same for every retry of one plan, so that a lost response causes neither a second date nor a second change.
  const attempt = useRef<{ clientId: string; date: PlannedDate | null; values: Values } | null>(null);

  const zoneOf = (values: Values) => values.zone || ownZone;
  const momentOf = (values: Values) => instantOf(values.date, values.clock, zoneOf(values));
  const form = useForm<Values>(
    existing
      ? { place: existing.place, zone: '', note: existing.note, ...fieldsOf(existing.at, ownZone) }
      : { place: '', date: '', clock: '19:00', zone: '', note: '' },
    {
      check: (values) => ({
        ...check(values, momentOf(values)),
        ...(choosesZone && !values.zone && { zone: 'Please choose a time zone.' }),
      }),
      inline: true,
      errorText: describeFailure,
      staysBusy: true,
    },
  );

  async function send(values: Values) {
    const at = momentOf(values);
    if (!at) return;
    setConflict(false);
    // A changed plan is a new attempt, because the earlier one may have been stored.
    if (attempt.current?.values !== values) attempt.current = { clientId: uuidv7(), date: existing, values };
    const { clientId, date } = attempt.current;
    const plan = { place: values.place.trim(), at, timeZone: zoneOf(values), note: values.note.trim() };
    try {
      if ('conversation' in target) await proposeDate(db, target.conversation.id, clientId, plan);
      else await changeDate(db, date ?? target.date, plan);
    } catch (failure) {
      // The server has rejected the plan, so the next attempt starts from the current date.
      if (failure instanceof ApiError && !failure.isTemporary) attempt.current = null;
      setConflict(failure instanceof ApiError && failure.status === 409);
      throw withErrorOfDay(failure);
    }
    onDone();
  }

  return { form, zone: zoneOf(form.values), choosesZone, isConflict, submit: form.submit(send) };
}

/** Returns a failure with the server's error of the time at the form's day. */
function withErrorOfDay(failure: unknown): unknown {
  if (!(failure instanceof ApiError) || !failure.fieldErrors.at) return failure;
  const { at: date, ...others } = failure.fieldErrors;
  return new ApiError(failure.status, failure.kind, failure.detail, { ...others, date });
}

/** Returns the errors of the form; the server checks again. */
export function check(
  { place, date, clock }: Pick<Values, 'place' | 'date' | 'clock'>,
  at: string | null,
  now = Date.now(),
): Errors<Values> {
  const errors: Errors<Values> = {};
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
