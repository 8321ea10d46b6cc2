import { zodResolver } from '@hookform/resolvers/zod';
import { Controller, type UseFormReturn, useForm } from 'react-hook-form';
import { suggestTowns } from '@/api/shared.ts';
import { Button, Checkbox, Chip, Combobox, TextArea, TextField } from '@/ui';
import { useIntentionTags } from './requests.ts';
import { type SignUpInput, type SignUpValues, signUpSchema } from './schema.ts';

export type SignUpFormState = UseFormReturn<SignUpInput, unknown, SignUpValues>;

/** Called by the screen, so that the form's values survive the step with the code. */
export function useSignUpForm(): SignUpFormState {
  return useForm<SignUpInput, unknown, SignUpValues>({
    resolver: zodResolver(signUpSchema),
    defaultValues: {
      fullName: '',
      email: '',
      age: '',
      city: '',
      state: '',
      intentionTags: [],
      bio: '',
      loveReflection: '',
      honorCode: false as unknown as true,
    },
  });
}

type SignUpFormProps = { form: SignUpFormState; onSubmit: (values: SignUpValues) => Promise<void> };

export function SignUpForm({ form, onSubmit }: SignUpFormProps) {
  const { register, formState, watch } = form;
  const { errors, isSubmitting } = formState;
  return (
    <form className="flex flex-col gap-5" noValidate onSubmit={form.handleSubmit(onSubmit)}>
      <TextField
        autoComplete="name"
        error={errors.fullName?.message}
        label="Full Name"
        {...register('fullName')}
      />
      <TextField
        autoCapitalize="none"
        autoComplete="email"
        error={errors.email?.message}
        inputMode="email"
        label="Email"
        type="email"
        {...register('email')}
      />
      <div className="grid grid-cols-[7.5rem_1fr] gap-x-4 gap-y-5 md:grid-cols-[7.5rem_1fr_1fr]">
        <TextField
          className="tabular-nums"
          error={errors.age?.message}
          inputMode="numeric"
          label="Age"
          max={99}
          min={18}
          type="number"
          {...register('age')}
        />
        <TownField form={form} />
        <div className="col-span-2 md:col-span-1">
          <TextField
            autoComplete="address-level1"
            error={errors.state?.message}
            label="State"
            {...register('state')}
          />
        </div>
      </div>
      <IntentionTags form={form} />
      <TextArea
        count={watch('bio').length}
        error={errors.bio?.message}
        hint="Who are you on a good day?"
        label="Bio/Reflection"
        maxLength={1000}
        {...register('bio')}
      />
      <TextArea
        count={watch('loveReflection').length}
        error={errors.loveReflection?.message}
        label="What does love mean to me right now? (Optional)"
        maxLength={500}
        {...register('loveReflection')}
      />
      <Checkbox
        className="card px-4 py-2"
        error={errors.honorCode?.message}
        label={
          <>
            <strong>Honor Code.</strong> I am currently single and here for a genuine connection.
          </>
        }
        {...register('honorCode')}
      />
      <Button block busy={isSubmitting} size="lg" type="submit">
        {isSubmitting ? 'Creating Profile...' : 'Create My Profile'}
      </Button>
    </form>
  );
}

/** The city: a suggested town also sets the state; any other name is accepted. */
function TownField({ form }: { form: SignUpFormState }) {
  return (
    <Controller
      control={form.control}
      name="city"
      render={({ field, fieldState }) => (
        <Combobox
          {...field}
          error={fieldState.error?.message}
          label="City"
          onPick={({ city, state }) => {
            field.onChange(city);
            form.setValue('state', state, { shouldValidate: form.formState.isSubmitted });
          }}
          suggest={suggestTowns}
        />
      )}
    />
  );
}

function IntentionTags({ form }: { form: SignUpFormState }) {
  const tags = useIntentionTags();
  return (
    <Controller
      control={form.control}
      name="intentionTags"
      render={({ field }) => (
        <fieldset>
          <legend className="mb-2 font-medium text-sm">Intention Tags</legend>
          <div className="flex flex-wrap gap-2">
            {tags.map((tag) => {
              const selected = field.value.includes(tag);
              return (
                <Chip
                  key={tag}
                  onClick={() =>
                    field.onChange(
                      selected ? field.value.filter((one) => one !== tag) : [...field.value, tag],
                    )
                  }
                  selected={selected}
                >
                  {tag}
                </Chip>
              );
            })}
          </div>
        </fieldset>
      )}
    />
  );
}
