import { ChipChoices, Select } from '@/ui';

type Field = { label: string; hint?: string; error?: string };

const none = '';

type OptionSelectProps<Value extends string> = Field & {
  options: Record<Value, string>;
  value: Value | null;
  onChange: (value: Value | null) => void;
};

/** A select with a few options, and one for giving no answer. */
export function OptionSelect<Value extends string>({
  options,
  value,
  onChange,
  ...field
}: OptionSelectProps<Value>) {
  return (
    <Select
      {...field}
      onChange={(event) => onChange((event.target.value as Value) || null)}
      value={value ?? none}
    >
      <option value={none}>Rather not say</option>
      {Object.entries<string>(options).map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </Select>
  );
}

type YesNoProps = Field & { value: boolean | null; onChange: (value: boolean | null) => void };

export function YesNo({ value, onChange, ...field }: YesNoProps) {
  return (
    <OptionSelect
      {...field}
      onChange={(answer) => onChange(answer === null ? null : answer === 'yes')}
      options={{ yes: 'Yes', no: 'No' }}
      value={value === null ? null : value ? 'yes' : 'no'}
    />
  );
}

type ChoiceChipsProps = Field & {
  options: Record<string, string>;
  chosen: string[];
  onChange: (chosen: string[]) => void;
};

/** Chips of which any number can be selected. */
export function ChoiceChips({ label, hint, error, options, chosen, onChange }: ChoiceChipsProps) {
  return (
    <fieldset>
      <legend className="mb-2 font-medium text-sm">{label}</legend>
      <ChipChoices chosen={chosen} onChange={onChange} options={options} />
      {error ? (
        <p className="mt-1.5 text-danger text-sm" role="alert">
          {error}
        </p>
      ) : (
        hint && <p className="mt-1.5 text-muted text-sm">{hint}</p>
      )}
    </fieldset>
  );
}
