import { MAX_CHANGE_ME_BIO, MAX_CHANGE_ME_LOVE_REFLECTION } from '@/api/limits.gen.ts';
import { suggestTowns } from '@/api/sharedRequests.ts';
import { paths } from '@/session/paths.ts';
import { Button, Checkbox, Chip, Combobox, type Form, TextArea, TextField } from '@/ui';
import { useIntentionTags } from './authRequests.ts';
import { InvitationCode } from './InvitationCode.tsx';
import type { SignUpInput } from './validation.ts';

export const emptySignUp: SignUpInput = {
  fullName: '',
  email: '',
  age: '',
  city: '',
  state: '',
  intentionTags: [],
  bio: '',
  loveReflection: '',
  honorCode: false,
};

type SignUpFormProps = { form: Form<SignUpInput>; onSubmit: (values: SignUpInput) => Promise<void> };

export function SignUpForm({ form, onSubmit }: SignUpFormProps) {
  const { values, isBusy, field } = form;
  return (
    <form className="flex flex-col gap-5" noValidate onSubmit={form.submit(onSubmit)}>
      <TextField
        autoComplete="name"
        hint="Shown to others as you enter it. You can change this in the privacy settings."
        label="Full Name"
        {...field('fullName')}
      />
      <TextField
        autoCapitalize="none"
        autoComplete="email"
        inputMode="email"
        label="Email"
        type="email"
        {...field('email')}
      />
      <div className="grid grid-cols-[7.5rem_1fr] gap-x-4 gap-y-5 md:grid-cols-[7.5rem_1fr_1fr]">
        <TextField
          className="tabular-nums"
          inputMode="numeric"
          label="Age"
          max={99}
          min={1}
          type="number"
          {...field('age')}
        />
        <TownField form={form} />
        <div className="col-span-2 md:col-span-1">
          <TextField autoComplete="address-level1" label="State" {...field('state')} />
        </div>
      </div>
      <IntentionTags form={form} />
      <TextArea
        count={values.bio.length}
        hint="Who are you on a good day?"
        label="Bio/Reflection"
        maxLength={MAX_CHANGE_ME_BIO}
        {...field('bio')}
      />
      <TextArea
        count={values.loveReflection.length}
        label="What does love mean to me right now? (Optional)"
        maxLength={MAX_CHANGE_ME_LOVE_REFLECTION}
        {...field('loveReflection')}
      />
      <InvitationCode />
      <HonorCode form={form} />
      <Button block busy={isBusy} size="lg" type="submit">
        {isBusy ? 'Creating Profile...' : 'Create My Profile'}
      </Button>
      <p className="text-muted text-sm">
        By joining you accept the <ServerLink to={paths.terms}>terms</ServerLink>. The{' '}
        <ServerLink to={paths.privacy}>privacy page</ServerLink> says what is stored, and for how long.
      </p>
    </form>
  );
}

/** A link to a page of the server, in a tab of its own, so that the form stays. */
const ServerLink = ({ to, children }: { to: string; children: string }) => (
  <a className="underline" href={to} rel="noreferrer" target="_blank">
    {children}
  </a>
);

/** The city: a suggested town also sets the state; any other name is accepted. */
function TownField({ form }: { form: Form<SignUpInput> }) {
  return (
    <Combobox
      {...form.field('city')}
      label="City"
      onChange={(city) => form.set({ city })}
      onPick={({ city, state }) => form.set({ city, state })}
      suggest={suggestTowns}
    />
  );
}

const HonorCode = ({ form }: { form: Form<SignUpInput> }) => (
  <Checkbox
    checked={form.values.honorCode}
    className="card px-4 py-2"
    error={form.errorOf('honorCode')}
    label={
      <>
        <strong>Honor Code.</strong> I am currently single and here for a genuine connection.
      </>
    }
    name="honorCode"
    onChange={({ target }) => form.set({ honorCode: target.checked })}
  />
);

function IntentionTags({ form }: { form: Form<SignUpInput> }) {
  const tags = useIntentionTags();
  const chosen = form.values.intentionTags;
  return (
    <fieldset>
      <legend className="mb-2 font-medium text-sm">Intention Tags</legend>
      <div className="flex flex-wrap gap-2">
        {tags.map((tag) => {
          const selected = chosen.includes(tag);
          return (
            <Chip
              key={tag}
              onClick={() =>
                form.set({
                  intentionTags: selected ? chosen.filter((one) => one !== tag) : [...chosen, tag],
                })
              }
              selected={selected}
            >
              {tag}
            </Chip>
          );
        })}
      </div>
    </fieldset>
  );
}
