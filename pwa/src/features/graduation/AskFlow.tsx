import { type FormEvent, useState } from 'react';
import { fieldErrors } from '@/api/errors.ts';
import { MAX_GRADUATE_LEGACY_MESSAGE } from '@/api/limits.gen.ts';
import { useDb, useLive } from '@/offline/store/cached.ts';
import { useMember } from '@/session/session.ts';
import { Button, type Form, Select, TextArea, TextField, toast, useForm } from '@/ui';
import { ask, type WallConsent } from './graduation.ts';
import { WallFields } from './WallFields.tsx';

const STEPS = 3;

/** What a request says. The partner is a match by id, or named by an address. */
type Values = { userTwoId: string; partnerEmail: string; legacyMessage: string; consent: WallConsent };

const empty: Values = {
  userTwoId: '',
  partnerEmail: '',
  legacyMessage: '',
  consent: { showOnLegacyWall: true, pictures: [] },
};

/**
 * The first two of the three steps: confirm the partner, and write the legacy. The third is shown by the couple's card.
 * Both steps are one form, so that nothing is lost between them.
 */
export function AskFlow() {
  const db = useDb();
  const [isConfirmed, setConfirmed] = useState(false);
  const form = useForm(empty, { staysBusy: true, guardsLeave: true });

  async function send({ userTwoId, partnerEmail, legacyMessage, consent }: Values) {
    try {
      await ask(
        db,
        userTwoId ? { userTwoId } : { partnerEmail: partnerEmail.trim() },
        legacyMessage,
        consent,
      );
      toast({ title: 'Congratulations! 🎉', description: 'Your partner can answer now.' });
    } catch (failure) {
      // The field with the address is on the step before.
      if ('partnerEmail' in fieldErrors(failure)) setConfirmed(false);
      throw failure;
    }
  }

  return (
    <section aria-label="Graduate together" className="card p-5">
      {isConfirmed ? (
        <Legacy form={form} onBack={() => setConfirmed(false)} onSend={send} />
      ) : (
        <Confirm form={form} onConfirm={() => setConfirmed(true)} />
      )}
    </section>
  );
}

/** The heading of a step with its number. */
export function StepTitle({ step, children }: { step: number; children: string }) {
  return (
    <>
      <p className="text-muted text-sm">
        Step {step} of {STEPS}
      </p>
      <h2 className="font-display font-semibold text-xl">{children}</h2>
    </>
  );
}

function checkPartner({ userTwoId, partnerEmail }: Values): { partnerEmail?: string } {
  const address = partnerEmail.trim();
  if (userTwoId) return {};
  if (!address) return { partnerEmail: "Please enter your partner's email address." };
  return /^[^@\s]+@[^@\s]+$/.test(address) ? {} : { partnerEmail: 'Please enter a valid email address' };
}

/** Names the partner by the address or from the matches. */
function Confirm({ form, onConfirm }: { form: Form<Values>; onConfirm: () => void }) {
  const matches = useLive((db) => db.matches.toArray()) ?? [];

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!form.reject(checkPartner(form.values))) onConfirm();
  }

  return (
    <form className="flex flex-col gap-4" noValidate onSubmit={submit}>
      <div>
        <StepTitle step={1}>Who are you leaving with?</StepTitle>
        <p className="mt-1 text-muted">
          Your partner is asked and has to say yes. A moderator looks at it, and then you both leave dating
          together. Nobody can find you until you choose to come back.
        </p>
      </div>
      <Select label="Choose from your matches" {...form.field('userTwoId')}>
        <option value="">Nobody yet</option>
        {matches.map(({ id, user }) => (
          <option key={id} value={user.id}>
            {user.fullName}
          </option>
        ))}
      </Select>
      {!form.values.userTwoId && (
        <TextField
          autoComplete="off"
          hint="The address your partner signs in with. We don't tell anyone whether it has an account."
          inputMode="email"
          label="Or enter your partner's email address"
          type="email"
          {...form.field('partnerEmail')}
        />
      )}
      <Button className="self-start" type="submit">
        Continue
      </Button>
    </form>
  );
}

type LegacyProps = {
  form: Form<Values>;
  onBack: () => void;
  onSend: (values: Values) => Promise<void>;
};

/** The message and the consent to the wall. Sends the request. */
function Legacy({ form, onBack, onSend }: LegacyProps) {
  const me = useMember();
  return (
    <form className="flex flex-col gap-4" onSubmit={form.submit(onSend)}>
      <div>
        <StepTitle step={2}>Your legacy</StepTitle>
        <p className="mt-1 text-muted">
          A few words for those who are still looking. You can leave them out.
        </p>
      </div>
      <TextArea
        count={form.values.legacyMessage.length}
        hint="Nothing that shows where you live or work, please."
        label="Legacy message (optional)"
        maxLength={MAX_GRADUATE_LEGACY_MESSAGE}
        rows={5}
        {...form.field('legacyMessage')}
      />
      <WallFields
        onChange={(consent) => form.set({ consent })}
        pictures={[...me.photos, ...me.galleryImages]}
        value={form.values.consent}
      />
      <div className="flex flex-wrap gap-3">
        <Button busy={form.isBusy} type="submit">
          Ask to graduate
        </Button>
        <Button disabled={form.isBusy} onClick={onBack} variant="secondary">
          Back
        </Button>
      </div>
    </form>
  );
}
