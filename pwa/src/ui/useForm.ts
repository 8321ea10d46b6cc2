import { type ChangeEvent, type SubmitEvent, useEffect, useState } from 'react';
import { describeError, fieldErrors } from '@/api/errors.ts';
import { type ActionOptions, useAction } from './useAction.ts';

export type Errors<Values> = { [Name in keyof Values]?: string | undefined };

/** The names of the values that are texts. */
type TextName<Values> = { [Name in keyof Values]: Values[Name] extends string ? Name : never }[keyof Values] &
  string;

type FieldElement = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

type OnValid<Values> = (values: Values) => unknown;

type FormOptions<Values> = ActionOptions & {
  /** Returns the errors of the values. Nothing is sent while there are any. */
  check?: (values: Values) => Errors<Values>;
  /** Whether the browser asks before the page is left with unsaved changes. */
  guardsLeave?: boolean;
};

export type Form<Values extends object> = ReturnType<typeof useForm<Values>>;

/**
 * The values of a form, checked when it is submitted and from then on with every change. Errors of the server are shown
 * at their fields; one that belongs to no field is a failure of the action (see `useAction`).
 */
export function useForm<Values extends object>(
  initial: Values,
  { check, guardsLeave = false, errorText = describeError, ...options }: FormOptions<Values> = {},
) {
  const { values, isDirty, change, replace } = useValues(initial);
  const [rejected, setRejected] = useState<Errors<Values>>({});
  const [submitted, setSubmitted] = useState(false);
  const errors: Errors<Values> = check?.(values) ?? {};
  const names = Object.keys(values) as (keyof Values)[];
  useLeaveGuard(guardsLeave && isDirty);

  const hasAny = (found: Errors<Values>) => names.some((name) => found[name]);

  async function attempt(onValid: OnValid<Values>) {
    setRejected({});
    try {
      await onValid(values);
    } catch (failure) {
      setRejected(fieldErrors(failure));
      throw failure;
    }
  }
  const [send, { isBusy, error, setError }] = useAction(attempt, {
    ...options,
    errorText: (failure) => (hasAny(fieldErrors(failure)) ? '' : errorText(failure)),
  });

  function set(patch: Partial<Values>) {
    change(patch);
    const changed = Object.fromEntries(Object.keys(patch).map((name) => [name, undefined]));
    setRejected((now) => ({ ...now, ...changed }));
    setError('');
  }

  const errorOf = (name: keyof Values) => (submitted ? errors[name] : undefined) ?? rejected[name];

  return {
    values,
    isBusy,
    /** Whether a value differs from the saved one. */
    isDirty,
    /** The failure that belongs to no field, until a value changes. */
    error,
    set,
    /** Replaces the values, which count as saved, and forgets the errors. */
    reset(to: Values) {
      replace(to);
      setRejected({});
      setError('');
      setSubmitted(false);
    },
    /** Returns the error of a field; the form's own check has none before the first submit. */
    errorOf,
    /** Shows errors until their fields change. Returns whether there are any. */
    reject(found: Errors<Values>): boolean {
      setRejected(found);
      return hasAny(found);
    },
    /** Returns the props of a text field or a select. */
    field: <Name extends TextName<Values>>(name: Name) => ({
      name,
      value: values[name] as Values[Name] & string,
      error: errorOf(name),
      onChange: ({ target }: ChangeEvent<FieldElement>) => set({ [name]: target.value } as Partial<Values>),
    }),
    /** Does what a submit does, for an action that is not the form's own. Resolves to whether it has succeeded. */
    async run(action: OnValid<Values>): Promise<boolean> {
      setSubmitted(true);
      return !hasAny(errors) && send(action);
    },
    /** Returns the form's submit handler: it focuses the first field with an error, or calls `onValid`. */
    submit: (onValid: OnValid<Values>) => (event: SubmitEvent<HTMLFormElement>) => {
      event.preventDefault();
      setSubmitted(true);
      if (hasAny(errors)) focusFirst(event.currentTarget, errors);
      else void send(onValid);
    },
  };
}

/** The values, and whether one differs from the saved ones. */
function useValues<Values extends object>(initial: Values) {
  const [values, setValues] = useState(initial);
  const [saved, setSaved] = useState(initial);
  return {
    values,
    isDirty: (Object.keys(values) as (keyof Values)[]).some((name) => values[name] !== saved[name]),
    change: (patch: Partial<Values>) => setValues((now) => ({ ...now, ...patch })),
    replace(to: Values) {
      setValues(to);
      setSaved(to);
    },
  };
}

/** Focuses the first field with an error. */
function focusFirst<Values>(form: HTMLFormElement, errors: Errors<Values>): void {
  const fields = [...form.elements] as HTMLInputElement[];
  fields.find(({ name }) => errors[name as keyof Values])?.focus();
}

/** Makes the browser ask before the page is left, while `isActive`. The listener keeps it out of the back/forward cache. */
function useLeaveGuard(isActive: boolean): void {
  useEffect(() => {
    if (!isActive) return;
    const ask = (event: BeforeUnloadEvent) => {
      // The page is blank after a sign-out, which must not be stopped.
      if (document.body.childElementCount > 0) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isActive]);
}
