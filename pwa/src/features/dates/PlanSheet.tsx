import { type FormEvent, useId, useRef, useState } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { ApiError } from '@/api/request.ts';
import type { PlannedDate, UserCard } from '@/api/types.ts';
import { Button, Sheet, TextArea, TextField } from '@/ui';
import { change, propose, sorry } from './dates.ts';
import { dayOf, fieldsOf, momentOf, ownZone, timeOf, townOf } from './when.ts';

const LONGEST_PLACE = 120;
const LONGEST_NOTE = 300;

/** A new date for a conversation, or another place and time for one that is there. */
export type About = { conversation: { id: string; user: UserCard } } | { date: PlannedDate };

type Errors = Partial<Record<'place' | 'date' | 'clock' | 'note' | 'form', string>>;

/** Place and time, and a few words. */
export default function PlanSheet({ about, onClose }: { about: About; onClose: () => void }) {
  const known = 'date' in about ? about.date : null;
  const { user } = 'date' in about ? about.date : about.conversation;
  const zone = known?.timeZone ?? ownZone();
  const form = usePlan(about, zone, onClose);
  const formId = useId();
  const today = fieldsOf(new Date().toISOString(), zone).date;
  const lastDay = fieldsOf(new Date(Date.now() + 365 * 86_400_000).toISOString(), zone).date;

  return (
    <Sheet
      actions={
        <>
          {form.errors.form && (
            <p className="basis-full text-danger text-sm" role="alert">
              {form.errors.form}
              {known && form.moved && ` It is now: ${inWords(known)}.`}
            </p>
          )}
          <Button onClick={onClose} variant="secondary">
            Not now
          </Button>
          <Button busy={form.busy} form={formId} type="submit">
            {known ? `Ask ${user.firstName} again` : `Ask ${user.firstName}`}
          </Button>
        </>
      }
      description={
        known
          ? `${user.firstName} is asked anew; until then the date isn't agreed.`
          : `${user.firstName} can say yes, suggest a change, or decline.`
      }
      onClose={onClose}
      open
      title={known ? 'Change the date' : `Plan a date with ${user.firstName}`}
    >
      <form className="flex flex-col gap-4" id={formId} noValidate onSubmit={form.submit}>
        <TextField
          autoComplete="off"
          error={form.errors.place}
          hint="A public place is a good place for a first date."
          label="Where"
          maxLength={LONGEST_PLACE}
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
            hint={`${townOf(zone)} time`}
            label="Time"
            type="time"
            {...form.field('clock')}
          />
        </div>
        <TextArea
          count={form.values.note.length}
          error={form.errors.note}
          label="A few words (optional)"
          maxLength={LONGEST_NOTE}
          {...form.field('note')}
        />
      </form>
    </Sheet>
  );
}

type Values = { place: string; date: string; clock: string; note: string };

function usePlan(about: About, zone: string, onDone: () => void) {
  const known = 'date' in about ? about.date : null;
  const [values, setValues] = useState<Values>(() =>
    known
      ? { place: known.place, note: known.note, ...fieldsOf(known.at, zone) }
      : { place: '', date: '', clock: '19:00', note: '' },
  );
  const [errors, setErrors] = useState<Errors>({});
  const [busy, setBusy] = useState(false);
  // The other one changed it first: what it is now is shown beside what is written here.
  const [moved, setMoved] = useState(false);
  // Kept for every try of one plan, so that an answer that was lost makes no second date, and no second change
  // of one that meanwhile holds it.
  const first = useRef<{ clientId: string; date: PlannedDate | null } | null>(null);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const at = momentOf(values.date, values.clock, zone);
    const wrong = check(values, at);
    setErrors(wrong);
    if (!at || Object.keys(wrong).length > 0) return;
    setBusy(true);
    setMoved(false);
    first.current ??= { clientId: uuidv7(), date: known };
    const { clientId, date } = first.current;
    const plan = { place: values.place.trim(), at, timeZone: zone, note: values.note.trim() };
    try {
      if ('conversation' in about) await propose(about.conversation.id, clientId, plan);
      else await change(date ?? about.date, plan);
      onDone();
    } catch (error) {
      // Nothing of it arrived: what is asked next is asked of the date as it is then.
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) first.current = null;
      setMoved(error instanceof ApiError && error.status === 409);
      setErrors(refusal(error));
      setBusy(false);
    }
  }

  const field = (name: keyof Values) => ({
    value: values[name],
    onChange: ({ target }: { target: { value: string } }) => {
      // Another plan is another date: what was sent before may have arrived.
      first.current = null;
      setValues((before) => ({ ...before, [name]: target.value }));
    },
  });
  return { values, errors, moved, busy, field, submit };
}

/** What is missing, in the member's words; the server has the last one. */
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

const inWords = ({ place, at, timeZone }: PlannedDate) =>
  `${place}, ${dayOf(at, timeZone)}, ${timeOf(at, timeZone)}`;

function refusal(error: unknown): Errors {
  if (!(error instanceof ApiError) || error.status !== 422) return { form: sorry(error) };
  const { place, at, note } = error.fieldErrors;
  if (!place && !at && !note) return { form: error.message };
  return { place, date: at, note };
}
