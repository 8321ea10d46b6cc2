import { useEffect, useState } from 'react';
import { ApiError } from '@/api/client.ts';
import type { Me } from '@/api/types.ts';
import { educations, heightText } from '@/api/words.ts';
import { setMe } from '@/app/session.ts';
import { holdUpdate } from '@/offline/serviceWorker.ts';
import { Button, Sheet, TextArea, TextField, toast } from '@/ui';
import { ChoiceChips, OptionSelect, YesNo } from './Choices.tsx';
import { genders, interests, religions } from './choices.ts';
import { changes, type Draft, draftOf } from './draft.ts';
import { PhotoEditor } from './PhotoEditor.tsx';
import { PromptEditor } from './PromptEditor.tsx';
import { saveProfile, useIntentionTags } from './requests.ts';

type EditorProps = { me: Me; onClose: () => void };

/** Everything a member says about themselves; photos save at once, the rest with Save. */
export function ProfileEditor({ me, onClose }: EditorProps) {
  const [before] = useState(() => draftOf(me));
  const [draft, setDraft] = useState(before);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState(false);
  useEffect(() => holdUpdate(), []);

  const set = <Field extends keyof Draft>(field: Field, value: Draft[Field]) => {
    setDraft((now) => ({ ...now, [field]: value }));
    setErrors(({ [field]: _, ...others }) => others);
  };

  async function save() {
    const patch = changes(before, draft);
    if (Object.keys(patch).length === 0) return onClose();
    setBusy(true);
    try {
      await setMe(await saveProfile(patch));
      toast({ title: 'Profile saved' });
      onClose();
    } catch (failure) {
      if (failure instanceof ApiError) setErrors(failure.fieldErrors);
      const description = failure instanceof ApiError ? failure.detail : 'Please try again.';
      toast({ title: 'Error', description, variant: 'destructive' });
    }
    setBusy(false);
  }

  return (
    <Sheet
      actions={
        <>
          <Button onClick={onClose} variant="secondary">
            Cancel
          </Button>
          <Button busy={busy} onClick={save}>
            Save profile
          </Button>
        </>
      }
      full
      onClose={onClose}
      open
      title="Edit Profile"
    >
      <div className="flex flex-col gap-8">
        <PhotoEditor me={me} />
        <About draft={draft} errors={errors} set={set} />
        <PromptEditor
          error={errors.prompts}
          onChange={(prompts) => set('prompts', prompts)}
          prompts={draft.prompts}
        />
        <Basics draft={draft} errors={errors} set={set} />
        <Lifestyle draft={draft} errors={errors} set={set} />
      </div>
    </Sheet>
  );
}

type SectionProps = {
  draft: Draft;
  errors: Record<string, string>;
  set: <Field extends keyof Draft>(field: Field, value: Draft[Field]) => void;
};

function About({ draft, errors, set }: SectionProps) {
  const tags = useIntentionTags(draft.intentionTags);
  return (
    <fieldset className="flex flex-col gap-5">
      <legend className="mb-3 font-display font-semibold text-lg">About you</legend>
      <TextArea
        count={draft.bio.length}
        error={errors.bio}
        label="Bio"
        maxLength={1000}
        onChange={(event) => set('bio', event.target.value)}
        value={draft.bio}
      />
      <TextArea
        count={draft.loveReflection.length}
        error={errors.loveReflection}
        label="What does love mean to me right now?"
        maxLength={500}
        onChange={(event) => set('loveReflection', event.target.value)}
        value={draft.loveReflection}
      />
      <ChoiceChips
        chosen={draft.intentionTags}
        error={errors.intentionTags}
        label="Intention Tags"
        onChange={(chosen) => set('intentionTags', chosen)}
        options={Object.fromEntries(tags.map((tag) => [tag, tag]))}
      />
    </fieldset>
  );
}

function Basics({ draft, errors, set }: SectionProps) {
  const tall = draft.heightCm;
  return (
    <fieldset className="flex flex-col gap-5">
      <legend className="mb-3 font-display font-semibold text-lg">Basics</legend>
      <TextField
        error={errors.fullName}
        label="Full Name"
        maxLength={100}
        onChange={(event) => set('fullName', event.target.value)}
        value={draft.fullName}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          error={errors.city}
          label="City"
          maxLength={100}
          onChange={(event) => set('city', event.target.value)}
          value={draft.city}
        />
        <TextField
          error={errors.state}
          label="State"
          maxLength={100}
          onChange={(event) => set('state', event.target.value)}
          value={draft.state}
        />
        <OptionSelect
          error={errors.gender}
          label="Gender"
          onChange={(value) => set('gender', value)}
          options={genders}
          value={draft.gender}
        />
        <TextField
          error={errors.heightCm}
          hint={tall ? heightText(tall) : 'Optional'}
          inputMode="numeric"
          label="Height in cm"
          max={250}
          min={90}
          onChange={(event) => set('heightCm', Number.parseInt(event.target.value, 10) || null)}
          type="number"
          value={tall ?? ''}
        />
      </div>
      <ChoiceChips
        chosen={draft.interestedIn}
        error={errors.interestedIn}
        hint="Choose none to meet everyone."
        label="Interested in"
        onChange={(chosen) => set('interestedIn', chosen)}
        options={interests}
      />
    </fieldset>
  );
}

function Lifestyle({ draft, errors, set }: SectionProps) {
  return (
    <fieldset className="flex flex-col gap-5">
      <legend className="mb-3 font-display font-semibold text-lg">Lifestyle</legend>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          error={errors.occupation}
          label="Occupation"
          maxLength={100}
          onChange={(event) => set('occupation', event.target.value)}
          value={draft.occupation}
        />
        <OptionSelect
          error={errors.education}
          label="Education"
          onChange={(value) => set('education', value)}
          options={educations}
          value={draft.education}
        />
        <YesNo
          error={errors.hasChildren}
          label="I have children"
          onChange={(value) => set('hasChildren', value)}
          value={draft.hasChildren}
        />
        <YesNo
          error={errors.wantsChildren}
          label="I want children"
          onChange={(value) => set('wantsChildren', value)}
          value={draft.wantsChildren}
        />
        <OptionSelect
          error={errors.religion}
          hint="Used for compatibility, never shown."
          label="Religion"
          onChange={(value) => set('religion', value)}
          options={religions}
          value={draft.religion}
        />
      </div>
    </fieldset>
  );
}
