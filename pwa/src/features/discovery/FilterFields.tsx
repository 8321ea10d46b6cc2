/** The fields of the filter form. Each shows one filter of the set and passes the changed set to `onChange`. */

import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { describeLoadError } from '@/api/client.ts';
import { MAX_SAVE_FILTERS_LOCATION_MAX_DISTANCE } from '@/api/limits.gen.ts';
import { intentionTagsQuery } from '@/api/sharedRequests.ts';
import type { FilterSet } from '@/api/types.ts';
import { educations, genderPlurals, religions } from '@/domain/profile/labels.ts';
import { useFailure } from '@/offline/store/cached.ts';
import { useMember } from '@/session/session.ts';
import { ChipChoices, RangeSlider, RetryButton, Select, Skeleton, Slider, Switch } from '@/ui';
import { type ActiveWithin, distanceText, heightRangeText, withActivity } from './filterSet.ts';

export type FieldProps = { set: FilterSet; onChange: (set: FilterSet) => void };

/** The genders to see; with none chosen all. They are stored in the profile. */
export function InterestedInField({ set, onChange }: FieldProps) {
  const id = useId();
  const chosen: readonly string[] = set.interestedIn;
  return (
    <fieldset aria-labelledby={id} className="min-w-0">
      <span className="mb-2 block font-medium text-sm" id={id}>
        Who you want to see
      </span>
      <ChipChoices
        chosen={chosen}
        onChange={(genders) => onChange({ ...set, interestedIn: genders as FilterSet['interestedIn'] })}
        options={genderPlurals}
      />
      <p className="mt-1.5 text-muted text-sm">
        {chosen.length === 0
          ? 'You see everyone until you choose.'
          : 'They also see you only if it fits both ways.'}
      </p>
    </fieldset>
  );
}

/** The slider's end, which includes all older members. */
const OLDEST = 80;

export function AgeField({ set, onChange }: FieldProps) {
  const [low, high] = set.ageRange;
  return (
    <RangeSlider
      label="Age"
      max={OLDEST}
      min={18}
      onChange={([youngest, oldest]) =>
        onChange({ ...set, ageRange: [youngest, oldest >= OLDEST ? 99 : oldest] })
      }
      step={1}
      text={`${Math.min(low, OLDEST)} to ${high >= OLDEST ? `${OLDEST}+` : high}`}
      thumbs={['Youngest age', 'Oldest age']}
      value={[Math.min(low, OLDEST), Math.min(high, OLDEST)]}
    />
  );
}

/** 5 to 500 miles, or anywhere by the switch. */
export function DistanceField({ set, onChange }: FieldProps) {
  const { maxDistance } = set.location;
  const change = (miles: number | null) =>
    onChange({ ...set, location: { ...set.location, maxDistance: miles } });
  return (
    <div>
      <Slider
        disabled={maxDistance === null}
        label="Distance"
        max={MAX_SAVE_FILTERS_LOCATION_MAX_DISTANCE}
        min={5}
        onChange={change}
        step={5}
        text={distanceText(maxDistance)}
        value={maxDistance ?? MAX_SAVE_FILTERS_LOCATION_MAX_DISTANCE}
      />
      <Switch
        checked={maxDistance === null}
        label="Anywhere"
        onChange={(anywhere) => change(anywhere ? null : 50)}
      />
    </div>
  );
}

/** The slider's ends (cm), which set no limit. */
const SHORTEST = 140;
const TALLEST = 210;

/** A height between limits leaves out members who have not stated theirs. */
export function HeightField({ set, onChange }: FieldProps) {
  const { minCm, maxCm } = set.height;
  return (
    <>
      <RangeSlider
        label="Height"
        max={TALLEST}
        min={SHORTEST}
        onChange={([low, high]) =>
          onChange({
            ...set,
            height: { minCm: low <= SHORTEST ? null : low, maxCm: high >= TALLEST ? null : high },
          })
        }
        step={1}
        text={heightRangeText(minCm, maxCm)}
        thumbs={['Shortest height', 'Tallest height']}
        value={[minCm ?? SHORTEST, maxCm ?? TALLEST]}
      />
      <p className="text-muted text-sm">Setting a limit leaves out people who haven't given their height.</p>
    </>
  );
}

export function CompletenessField({ set, onChange }: FieldProps) {
  return (
    <Slider
      label="Profile completeness"
      max={100}
      min={0}
      onChange={(profileCompleteness) => onChange({ ...set, profileCompleteness })}
      step={10}
      text={set.profileCompleteness === 0 ? 'Any' : `At least ${set.profileCompleteness}%`}
      value={set.profileCompleteness}
    />
  );
}

const activityPeriods: [ActiveWithin, string][] = [
  ['any', 'Any time'],
  ['1d', 'Within a day'],
  ['3d', 'Within 3 days'],
  ['1w', 'Within a week'],
  ['1m', 'Within a month'],
];

export function LastActiveField({ set, onChange }: FieldProps) {
  return (
    <Select
      label="Last active"
      onChange={(event) => onChange(withActivity(set, event.target.value as ActiveWithin))}
      value={set.lastActiveWithin}
    >
      {activityPeriods.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </Select>
  );
}

export function GreetingFields({ set, onChange }: FieldProps) {
  return (
    <>
      <Switch
        checked={set.hasVoiceGreeting}
        label="Has a voice greeting"
        onChange={(hasVoiceGreeting) => onChange({ ...set, hasVoiceGreeting })}
      />
      <Switch
        checked={set.hasVideoIntroduction}
        label="Has a video introduction"
        onChange={(hasVideoIntroduction) => onChange({ ...set, hasVideoIntroduction })}
      />
    </>
  );
}

type WordsFieldProps<Word extends string> = {
  label: string;
  hint?: string;
  /** The words to choose from; undefined until fetched, null if they could not be. */
  words: readonly Word[] | null | undefined;
  chosen: readonly Word[];
  onChange: (chosen: Word[]) => void;
};

/** A choice of words. A member fits with at least one of them; with none chosen all members fit. */
export function WordsField<Word extends string>(props: WordsFieldProps<Word>) {
  const { label, hint, words, chosen, onChange } = props;
  const id = useId();
  // Chosen words can be removed even if they are no longer offered or the list could not be fetched.
  const all = [...new Set([...(words ?? []), ...chosen])];
  if (words === null && all.length === 0) return null;
  return (
    <fieldset aria-labelledby={id} className="min-w-0">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-medium text-sm" id={id}>
          {label}
        </span>
        {hint && <span className="text-muted text-sm">{hint}</span>}
      </div>
      {words === undefined && all.length === 0 ? (
        <Skeleton className="h-11" />
      ) : (
        <ChipChoices
          chosen={chosen}
          onChange={(next) => onChange(next as Word[])}
          options={Object.fromEntries(all.map((word) => [word, word]))}
        />
      )}
    </fieldset>
  );
}

export function IntentionsField({ set, onChange }: FieldProps) {
  const query = useQuery(intentionTagsQuery);
  const failure = useFailure(query);
  return (
    <>
      <WordsField
        chosen={set.intentionTags}
        hint="At least one in common"
        label="Relationship intentions"
        onChange={(intentionTags) => onChange({ ...set, intentionTags })}
        words={query.data ?? (failure ? null : undefined)}
      />
      {failure && <WordsFailure error={failure} onRetry={query.refetch} />}
    </>
  );
}

type WordsFailureProps = { error: Error; onRetry: () => Promise<unknown> };

/** Stands for words that could not be fetched. */
export function WordsFailure({ error, onRetry }: WordsFailureProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-2 text-muted text-sm" role="alert">
      {describeLoadError(error)}
      <RetryButton className="-mx-3" onRetry={onRetry} variant="ghost" />
    </div>
  );
}

const parseYesNo = (value: string) => (value === 'any' ? null : value === 'true');

/** The lifestyle filters. Each leaves out members without an answer to its question. */
export function LifestyleFields({ set, onChange }: FieldProps) {
  const me = useMember();
  const { lifestyle } = set;
  const change = (part: Partial<FilterSet['lifestyle']>) =>
    onChange({ ...set, lifestyle: { ...lifestyle, ...part } });
  const religionDisabled = (me.religion === null || !me.religionCounts) && lifestyle.religion === null;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Select
        label="Has children"
        onChange={(event) => change({ hasChildren: parseYesNo(event.target.value) })}
        value={String(lifestyle.hasChildren ?? 'any')}
      >
        <option value="any">Any</option>
        <option value="true">Has children</option>
        <option value="false">No children</option>
      </Select>
      <Select
        label="Wants children"
        onChange={(event) => change({ wantsChildren: parseYesNo(event.target.value) })}
        value={String(lifestyle.wantsChildren ?? 'any')}
      >
        <option value="any">Any</option>
        <option value="true">Wants children</option>
        <option value="false">Does not want children</option>
      </Select>
      <Select
        label="Education"
        onChange={(event) =>
          change({ education: (event.target.value || null) as typeof lifestyle.education })
        }
        value={lifestyle.education ?? ''}
      >
        <option value="">Any</option>
        <Options labels={educations} />
      </Select>
      <Select
        disabled={religionDisabled}
        hint={religionDisabled ? 'Add yours to your profile first, and let it count in matching.' : undefined}
        label="Religion"
        onChange={(event) => change({ religion: (event.target.value || null) as typeof lifestyle.religion })}
        value={lifestyle.religion ?? ''}
      >
        <option value="">Any</option>
        <Options labels={religions} />
      </Select>
    </div>
  );
}

function Options({ labels }: { labels: Record<string, string> }) {
  return Object.entries(labels).map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
}

export function CompatibilityFields({ set, onChange }: FieldProps) {
  const { compatibility } = set;
  const change = (part: Partial<FilterSet['compatibility']>) =>
    onChange({ ...set, compatibility: { ...compatibility, ...part } });
  const minScore = compatibility.minCompatibilityScore;
  return (
    <>
      <Slider
        label="Minimum compatibility"
        max={100}
        min={0}
        onChange={(minCompatibilityScore) => change({ minCompatibilityScore })}
        step={5}
        text={minScore === 0 ? 'Any' : `At least ${minScore}%`}
        value={minScore}
      />
      <Switch
        checked={compatibility.featuredOnly}
        label="Featured members only"
        onChange={(featuredOnly) => change({ featuredOnly })}
      />
      <Switch
        checked={compatibility.prioritizeNewUsers}
        hint="When compatibility is equal"
        label="Newest members first"
        onChange={(prioritizeNewUsers) => change({ prioritizeNewUsers })}
      />
      <Switch
        checked={set.mlRecommendations}
        hint="When compatibility is equal, people similar to those you liked come first."
        label="Learn from my likes"
        onChange={(mlRecommendations) => onChange({ ...set, mlRecommendations })}
      />
    </>
  );
}
