import { type ChangeEvent, type SubmitEvent, useEffect, useRef, useState } from 'react';
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
  /** Called with the errors that keep a submit from being sent, beside which their fields show them. */
  onInvalid?: (errors: Errors<Values>) => void;
  /** Called with the values after a change by the member. */
  onChange?: (values: Values) => void;
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
  { check, onInvalid, onChange, guardsLeave = false, ...options }: FormOptions<Values> = {},
) {
  const { values, isDirty, change, replace } = useValues(initial);
  const { send, isBusy, error, rejected, setRejected, forget } = useSending(values, options);
  const { errors, shownErrors, hideErrors, pass } = useCheck(values, check);
  const { element, focusLater } = useLaterFocus(rejected, isBusy);
  useLeaveGuard(guardsLeave && isDirty);

  function set(patch: Partial<Values>) {
    const next = change(patch);
    onChange?.(next);
    forget(patch);
  }

  const errorOf = (name: keyof Values) => shownErrors[name] ?? rejected[name];

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
      forget(rejected);
      hideErrors();
    },
    /** Returns the error of a field; the form's own check has none before the first submit. */
    errorOf,
    /** Shows errors until their fields change, and focuses the first such field. Returns whether there are any. */
    reject(found: Errors<Values>): boolean {
      setRejected(found);
      focusLater();
      return hasAny(values, found);
    },
    /** Returns the props of a text field or a select. */
    field: <Name extends TextName<Values>>(name: Name) => ({
      name,
      ref(field: FieldElement | null) {
        if (field) element.current = field.form;
      },
      value: values[name] as Values[Name] & string,
      error: errorOf(name),
      onChange: ({ target }: ChangeEvent<FieldElement>) => set({ [name]: target.value } as Partial<Values>),
    }),
    /** Does what a submit does, for an action that is not the form's own. Resolves to whether it has succeeded. */
    run: async (action: OnValid<Values>): Promise<boolean> => pass() && send(action),
    /** Returns the form's submit handler. It focuses the first field with an error, of the check or of the server. */
    submit: (onValid: OnValid<Values>) => (event: SubmitEvent<HTMLFormElement>) => {
      event.preventDefault();
      if (pass()) {
        element.current = event.currentTarget;
        focusLater();
        return void send(onValid);
      }
      onInvalid?.(errors);
      focusFirst(event.currentTarget, errors);
    },
  };
}

/** The errors of the form's own check, which are shown from the first submit on. */
function useCheck<Values extends object>(values: Values, check: FormOptions<Values>['check']) {
  const [isShown, setShown] = useState(false);
  const errors: Errors<Values> = check?.(values) ?? {};
  return {
    errors,
    shownErrors: isShown ? errors : ({} as Errors<Values>),
    hideErrors: () => setShown(false),
    /** Shows the errors. Returns whether there are none. */
    pass(): boolean {
      setShown(true);
      return !hasAny(values, errors);
    },
  };
}

/** Whether one of the values has an error; others are not shown by the form. */
const hasAny = <Values extends object>(values: Values, errors: Errors<Values>): boolean =>
  (Object.keys(values) as (keyof Values)[]).some((name) => errors[name]);

/** Sends the values, and keeps the errors of the server. */
function useSending<Values extends object>(
  values: Values,
  { errorText = describeError, ...options }: ActionOptions,
) {
  const [rejected, setRejected] = useState<Errors<Values>>({});

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
    errorText: (failure) => (hasAny(values, fieldErrors(failure)) ? '' : errorText(failure)),
  });

  return {
    send,
    isBusy,
    error,
    rejected,
    setRejected,
    /** Forgets the failure, and the errors of these fields. */
    forget(fields: Partial<Record<keyof Values, unknown>>) {
      const changed = Object.fromEntries(Object.keys(fields).map((name) => [name, undefined]));
      setRejected((now) => ({ ...now, ...changed }));
      setError('');
    },
  };
}

/** The values, and whether one differs from the saved ones. */
function useValues<Values extends object>(initial: Values) {
  const [values, setValues] = useState(initial);
  const [saved, setSaved] = useState(initial);
  // The state is that of the last render: an upload that ends changes its value with the function of an earlier one.
  const latest = useRef(initial);

  function show(next: Values) {
    latest.current = next;
    setValues(next);
  }

  return {
    values,
    isDirty: (Object.keys(values) as (keyof Values)[]).some((name) => values[name] !== saved[name]),
    /** Returns the values after the change. */
    change(patch: Partial<Values>): Values {
      show({ ...latest.current, ...patch });
      return latest.current;
    },
    replace(to: Values) {
      show(to);
      setSaved(to);
    },
  };
}

/**
 * Returns a function that focuses the first rejected field once the form can be used again: the failure has no toast, and the
 * field may be outside of the window. `element` is the form that is shown then, which may be another step than the one sent.
 */
function useLaterFocus<Values>(rejected: Errors<Values>, isBusy: boolean) {
  const element = useRef<HTMLFormElement>(null);
  const isDue = useRef(false);
  useEffect(() => {
    if (isBusy || !isDue.current) return;
    isDue.current = false;
    if (element.current) focusFirst(element.current, rejected);
  }, [rejected, isBusy]);
  return {
    element,
    focusLater() {
      isDue.current = true;
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
