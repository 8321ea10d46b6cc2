import { useId } from 'react';
import { useKeys } from './queueKeys.ts';

export type Choice<Value extends string> = { value: Value; label: string; hint?: string };

type ChoiceListProps<Value extends string> = {
  label: string;
  choices: Choice<Value>[];
  value: Value | undefined;
  onChange: (value: Value) => void;
  error?: string;
};

/** Radio buttons that the keys 1, 2, … choose. */
export function ChoiceList<Value extends string>({
  label,
  choices,
  value,
  onChange,
  error,
}: ChoiceListProps<Value>) {
  const name = useId();
  function choose(choice: Choice<Value>) {
    onChange(choice.value);
    document.getElementById(`${name}-${choice.value}`)?.focus();
  }
  useKeys(Object.fromEntries(choices.map((choice, index) => [String(index + 1), () => choose(choice)])));
  return (
    <fieldset aria-describedby={error ? `${name}-error` : undefined} className="flex flex-col gap-1">
      <legend className="mb-1 font-medium text-sm">{label}</legend>
      {choices.map((choice, index) => (
        <label
          className="flex min-h-11 cursor-pointer items-center gap-3 rounded-control border border-line px-3 py-2 has-checked:border-ember has-checked:bg-ember-soft"
          htmlFor={`${name}-${choice.value}`}
          key={choice.value}
        >
          <input
            checked={value === choice.value}
            className="size-5 shrink-0 accent-ember"
            id={`${name}-${choice.value}`}
            name={name}
            onChange={() => onChange(choice.value)}
            type="radio"
          />
          <span className="min-w-0 flex-1">
            <span className="block font-semibold text-sm">{choice.label}</span>
            {choice.hint && <span className="block text-muted text-xs">{choice.hint}</span>}
          </span>
          <span aria-hidden="true" className="rounded-md bg-raised px-2 text-muted text-xs">
            {index + 1}
          </span>
        </label>
      ))}
      {error && (
        <p className="text-danger text-sm" id={`${name}-error`} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
