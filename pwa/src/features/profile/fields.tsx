import { maxWords } from '@/api/defaults.gen.ts';
import {
  MAX_CHANGE_ME_BIO,
  MAX_CHANGE_ME_CITY,
  MAX_CHANGE_ME_FULL_NAME,
  MAX_CHANGE_ME_HEIGHT_CM,
  MAX_CHANGE_ME_LOVE_REFLECTION,
  MAX_CHANGE_ME_OCCUPATION,
  MAX_CHANGE_ME_STATE,
} from '@/api/limits.gen.ts';
import { suggestTowns } from '@/api/sharedRequests.ts';
import { educations, genders, heightText, religions } from '@/domain/profile/labels.ts';
import { listsOf, type WordSection, wordLists } from '@/domain/profile/wordLists.ts';
import { useMember } from '@/session/session.ts';
import { Combobox, Switch, TextArea, TextField } from '@/ui';
import { BirthDateRequest } from './BirthDateRequest.tsx';
import { birthDateLimits } from './birthDateLimits.ts';
import { ChoiceChips, OptionSelect, YesNo } from './Choices.tsx';
import type { Draft, SetField } from './profileDraft.ts';
import { useIntentionTags, useProfileOptions } from './profileRequests.ts';

export type FieldsProps = { draft: Draft; errors: Record<string, string>; set: SetField };

const optionsFrom = (words: readonly string[]) => Object.fromEntries(words.map((word) => [word, word]));
/** Returns the options with the chosen ones, which are shown before the list is loaded. */
const optionsWithChosen = (all: readonly string[] | undefined, chosen: readonly string[]) =>
  optionsFrom([...new Set([...(all ?? []), ...chosen])]);

export function AboutFields({ draft, errors, set }: FieldsProps) {
  return (
    <>
      <TextArea
        count={draft.bio.length}
        error={errors.bio}
        hint="Who are you on a good day?"
        label="Bio"
        maxLength={MAX_CHANGE_ME_BIO}
        onChange={(event) => set('bio', event.target.value)}
        value={draft.bio}
      />
      <TextArea
        count={draft.loveReflection.length}
        error={errors.loveReflection}
        label="What does love mean to me right now?"
        maxLength={MAX_CHANGE_ME_LOVE_REFLECTION}
        onChange={(event) => set('loveReflection', event.target.value)}
        value={draft.loveReflection}
      />
    </>
  );
}

export function NameFields({ draft, errors, set }: FieldsProps) {
  const tall = draft.heightCm;
  const me = useMember();
  return (
    <>
      <TextField
        autoComplete="name"
        error={errors.fullName}
        hint="Shown to others as you enter it, unless you choose First name only in the privacy settings."
        label="Full Name"
        maxLength={MAX_CHANGE_ME_FULL_NAME}
        onChange={(event) => set('fullName', event.target.value)}
        value={draft.fullName}
      />
      <TextField
        autoComplete="bday"
        error={errors.birthDate}
        hint="Only your age is shown. You can change it once, by at most a year."
        label="Birthday"
        onChange={(event) => set('birthDate', event.target.value || null)}
        type="date"
        value={draft.birthDate ?? ''}
        {...birthDateLimits()}
      />
      <BirthDateRequest
        birthDate={draft.birthDate}
        mayAsk={errors.birthDate !== undefined}
        onAsked={() => set('birthDate', me.birthDate)}
      />
      <TextField
        error={errors.heightCm}
        hint={tall ? heightText(tall) : 'Optional'}
        inputMode="numeric"
        label="Height in cm"
        max={MAX_CHANGE_ME_HEIGHT_CM}
        min={90}
        onChange={(event) => set('heightCm', Number.parseInt(event.target.value, 10) || null)}
        type="number"
        value={tall ?? ''}
      />
    </>
  );
}

export const UNKNOWN_TOWN =
  'Others see no distance to it, and you are not found by it. Check the spelling, or choose a larger town nearby.';

export function TownFields({ draft, errors, set }: FieldsProps) {
  const me = useMember();
  const isUnknown = me.townKnown === false && draft.city === me.city && draft.state === me.state;
  return (
    <>
      <Combobox
        error={errors.city}
        hint={
          isUnknown
            ? `We don't know this town. ${UNKNOWN_TOWN}`
            : 'Others see the town and how far it is, never where you are.'
        }
        label="City"
        maxLength={MAX_CHANGE_ME_CITY}
        onChange={(text) => set('city', text)}
        onPick={({ city, state }) => {
          set('city', city);
          set('state', state);
        }}
        suggest={suggestTowns}
        value={draft.city}
      />
      <TextField
        error={errors.state}
        hint="Outside the U.S., enter your region or country."
        label="State"
        maxLength={MAX_CHANGE_ME_STATE}
        onChange={(event) => set('state', event.target.value)}
        value={draft.state}
      />
    </>
  );
}

export function MeetFields({ draft, errors, set }: FieldsProps) {
  return (
    <>
      <OptionSelect
        error={errors.gender}
        label="Gender"
        onChange={(value) => set('gender', value)}
        options={genders}
        value={draft.gender}
      />
      <WordListFields draft={draft} errors={errors} section="meet" set={set} />
    </>
  );
}

export function IntentionFields({ draft, errors, set }: FieldsProps) {
  const tags = useIntentionTags(draft.intentionTags);
  return (
    <>
      <ChoiceChips
        chosen={draft.intentionTags}
        error={errors.intentionTags}
        label="Intention Tags"
        onChange={(chosen) => set('intentionTags', chosen)}
        options={optionsFrom(tags)}
      />
      <WordListFields draft={draft} errors={errors} section="intentions" set={set} />
    </>
  );
}

export function TraitFields(props: FieldsProps) {
  return <WordListFields {...props} section="traits" />;
}

export function EverydayFields(props: FieldsProps) {
  return <WordListFields {...props} section="everyday" />;
}

/** The word lists of a section. */
function WordListFields({ draft, errors, set, section }: FieldsProps & { section: WordSection }) {
  const options = useProfileOptions();
  return listsOf(section).map((name) => {
    const { label } = wordLists[name];
    const field = { label, error: errors[name], options: optionsWithChosen(options?.[name], draft[name]) };
    const change = (chosen: string[]) => set(name, chosen as Draft[typeof name]);
    if (maxWords[name] === 1)
      return (
        <OptionSelect<string>
          {...field}
          key={name}
          onChange={(word) => change(word === null ? [] : [word])}
          value={draft[name][0] ?? null}
        />
      );
    return <ChoiceChips {...field} chosen={draft[name]} key={name} onChange={change} />;
  });
}

export function LifeFields({ draft, errors, set }: FieldsProps) {
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <TextField
        autoComplete="organization-title"
        error={errors.occupation}
        label="Occupation"
        maxLength={MAX_CHANGE_ME_OCCUPATION}
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
        hint="Never shown. The answer that counts can change once every 30 days."
        label="Religion"
        onChange={(value) => set('religion', value)}
        options={religions}
        value={draft.religion}
      />
      {draft.religion && (
        <Switch
          checked={draft.religionCounts}
          hint="It counts only with people who let theirs count too. People who compare scores can work your answer out."
          label="Count this in matching"
          onChange={(on) => set('religionCounts', on)}
        />
      )}
    </div>
  );
}
