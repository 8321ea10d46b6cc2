import { type FormEvent, useState } from 'react';
import { MAX_GRADUATE_LEGACY_MESSAGE } from '@/api/limits.gen.ts';
import { ApiError } from '@/api/request.ts';
import { useLive } from '@/offline/store/cached.ts';
import { useMember } from '@/session/session.ts';
import { Button, Select, TextArea, TextField, toast, useForm } from '@/ui';
import { ask, type Partner } from './graduation.ts';
import { WallFields } from './WallFields.tsx';

const STEPS = 3;

/** The first two of the three steps: confirm the partner, and write the legacy. The third is shown by the couple's card. */
export function AskFlow() {
  const [partner, setPartner] = useState<Partner>();
  return (
    <section aria-label="Graduate together" className="card p-5">
      {partner ? (
        <Legacy onBack={() => setPartner(undefined)} partner={partner} />
      ) : (
        <Confirm onConfirm={setPartner} />
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

/** Names the partner by the address or from the matches. */
function Confirm({ onConfirm }: { onConfirm: (partner: Partner) => void }) {
  const [email, setEmail] = useState('');
  const [matchId, setMatchId] = useState('');
  const [error, setError] = useState('');
  const matches = useLive((db) => db.matches.toArray()) ?? [];

  function submit(event: FormEvent) {
    event.preventDefault();
    const partnerEmail = email.trim();
    if (matchId) onConfirm({ userTwoId: matchId });
    else if (!partnerEmail) setError("Please enter your partner's email address.");
    else if (!/^[^@\s]+@[^@\s]+$/.test(partnerEmail)) setError('Please enter a valid email address');
    else onConfirm({ partnerEmail });
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
      {matches.length > 0 && (
        <Select
          label="Choose from your matches"
          onChange={(event) => setMatchId(event.target.value)}
          value={matchId}
        >
          <option value="">Nobody yet</option>
          {matches.map(({ id, user }) => (
            <option key={id} value={user.id}>
              {user.fullName}
            </option>
          ))}
        </Select>
      )}
      {!matchId && (
        <TextField
          autoComplete="off"
          error={error}
          hint="The address with which your partner signs in. We tell nobody whether it has an account."
          inputMode="email"
          label={
            matches.length > 0 ? "Or enter your partner's email address" : "Your partner's email address"
          }
          onChange={(event) => {
            setEmail(event.target.value);
            setError('');
          }}
          type="email"
          value={email}
        />
      )}
      <Button className="self-start" type="submit">
        Continue
      </Button>
    </form>
  );
}

/** The message and the consent to the wall. Sends the request. */
function Legacy({ partner, onBack }: { partner: Partner; onBack: () => void }) {
  const me = useMember();
  const form = useForm({ message: '' }, { staysBusy: true, guardsLeave: true });
  const [consent, setConsent] = useState({ showOnLegacyWall: true, pictures: [] as string[] });

  async function send({ message }: { message: string }) {
    try {
      await ask(partner, message, consent.showOnLegacyWall ? consent : { ...consent, pictures: [] });
      toast({ title: 'Congratulations! 🎉', description: 'Your partner can answer now.' });
    } catch (failure) {
      // The address is on the step before.
      if (failure instanceof ApiError && failure.status === 422 && 'partnerEmail' in partner) onBack();
      throw failure;
    }
  }

  return (
    <form className="flex flex-col gap-4" onSubmit={form.submit(send)}>
      <div>
        <StepTitle step={2}>Your legacy</StepTitle>
        <p className="mt-1 text-muted">
          A few words for those who are still looking. You can leave them out.
        </p>
      </div>
      <TextArea
        count={form.values.message.length}
        hint="Nothing that shows where you live or work, please."
        label="Legacy message (optional)"
        maxLength={MAX_GRADUATE_LEGACY_MESSAGE}
        rows={5}
        {...form.field('message')}
      />
      <WallFields onChange={setConsent} pictures={[...me.photos, ...me.galleryImages]} value={consent} />
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
