import { type ChangeEvent, type FormEvent, useState } from 'react';

export type Errors<Values> = { [Name in keyof Values]?: string | undefined };

/** The names of the values that are texts. */
type TextName<Values> = { [Name in keyof Values]: Values[Name] extends string ? Name : never }[keyof Values] &
  string;

type OnValid<Values> = (values: Values) => Promise<void>;

export type Form<Values> = ReturnType<typeof useForm<Values>>;

/** The values of a form, checked when it is submitted and from then on with every change. */
export function useForm<Values>(initial: Values, check: (values: Values) => Errors<Values>) {
  const [values, setValues] = useState(initial);
  const [rejected, setRejected] = useState<Errors<Values>>({});
  const [submitted, setSubmitted] = useState(false);
  const [busy, setBusy] = useState(false);
  const errors = check(values);

  function set(patch: Partial<Values>) {
    setValues((now) => ({ ...now, ...patch }));
    const changed = Object.fromEntries(Object.keys(patch).map((name) => [name, undefined]));
    setRejected((now) => ({ ...now, ...changed }));
  }

  const errorOf = (name: keyof Values) => (submitted ? (errors[name] ?? rejected[name]) : undefined);

  async function send(onValid: OnValid<Values>) {
    setRejected({});
    setBusy(true);
    try {
      await onValid(values);
    } finally {
      setBusy(false);
    }
  }

  return {
    values,
    busy,
    set,
    /** Returns the error of a field; there is none before the first submit. */
    errorOf,
    /** Shows errors of the server until their fields change. */
    reject: setRejected,
    /** Returns the props of a text field. */
    field: (name: TextName<Values>) => ({
      name,
      value: values[name] as string,
      error: errorOf(name),
      onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
        set({ [name]: target.value } as Partial<Values>),
    }),
    /** Returns the form's submit handler: it focuses the first field with an error, or calls `onValid`. */
    submit: (onValid: OnValid<Values>) => (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      setSubmitted(true);
      const fields = [...event.currentTarget.elements] as HTMLInputElement[];
      const firstInvalid = fields.find(({ name }) => errors[name as keyof Values]);
      if (firstInvalid) firstInvalid.focus();
      else if (!busy) void send(onValid);
    },
  };
}
