/** The groups of filters in the filter editor, in order. */

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { MAX_SAVE_FILTERS_LOCATION_CITY } from '@/api/limits.gen.ts';
import { profileOptionsQuery, suggestTowns } from '@/api/sharedRequests.ts';
import type { WordList } from '@/api/types.ts';
import { listsOf, wordLists } from '@/domain/profile/wordLists.ts';
import { useFailure } from '@/offline/store/cached.ts';
import { Combobox, Switch } from '@/ui';
import {
  CompatibilityFields,
  CompletenessField,
  type FieldProps,
  GreetingFields,
  HeightField,
  IntentionsField,
  LastActiveField,
  LifestyleFields,
  WordsFailure,
  WordsField,
} from './FilterFields.tsx';

export type FilterGroup = {
  title: string;
  /** The paths of the group's filters, as `activePaths` returns them. */
  paths: readonly string[];
  Fields: (props: FieldProps) => ReactNode;
};

export const filterGroups: readonly FilterGroup[] = [
  { title: 'Height', paths: ['height'], Fields: HeightField },
  {
    title: 'Deal-breakers',
    paths: [
      'lifestyle.hasChildren',
      'lifestyle.wantsChildren',
      'lifestyle.education',
      'lifestyle.religion',
      ...listsOf('everyday'),
    ],
    Fields: (props) => (
      <>
        <LifestyleFields {...props} />
        <WordListFields {...props} lists={listsOf('everyday')} />
      </>
    ),
  },
  {
    title: "What they're looking for",
    paths: ['intentionTags', ...listsOf('intentions')],
    Fields: (props) => (
      <>
        <IntentionsField {...props} />
        <WordListFields {...props} lists={listsOf('intentions')} />
      </>
    ),
  },
  {
    title: 'Who they are',
    paths: [...listsOf('traits'), ...listsOf('meet')],
    Fields: (props) => <WordListFields {...props} lists={[...listsOf('traits'), ...listsOf('meet')]} />,
  },
  { title: 'Where they live', paths: ['location.sameState', 'location.city'], Fields: PlaceFields },
  {
    title: 'Activity and profile',
    paths: [
      'lastActiveWithin',
      'compatibility.recentlyActive',
      'verifiedOnly',
      'hasVoiceGreeting',
      'hasVideoIntroduction',
      'profileCompleteness',
    ],
    Fields: ProfileFields,
  },
  {
    title: 'Compatibility and order',
    paths: [
      'compatibility.minCompatibilityScore',
      'compatibility.featuredOnly',
      'compatibility.prioritizeNewUsers',
      'mlRecommendations',
    ],
    Fields: CompatibilityFields,
  },
];

function PlaceFields({ set, onChange }: FieldProps) {
  const setCity = (city: string) => onChange({ ...set, location: { ...set.location, city } });
  return (
    <>
      <Switch
        checked={set.location.sameState}
        label="Same state only"
        onChange={(sameState) => onChange({ ...set, location: { ...set.location, sameState } })}
      />
      <Combobox
        hint="Only people in this town. Leave blank for everywhere."
        label="City"
        maxLength={MAX_SAVE_FILTERS_LOCATION_CITY}
        onChange={setCity}
        onPick={(town) => setCity(town.city)}
        suggest={suggestTowns}
        value={set.location.city}
      />
    </>
  );
}

function ProfileFields(props: FieldProps) {
  const { set, onChange } = props;
  return (
    <>
      <LastActiveField {...props} />
      <Switch
        checked={set.verifiedOnly}
        label="Verified only"
        onChange={(verifiedOnly) => onChange({ ...set, verifiedOnly })}
      />
      <GreetingFields {...props} />
      <CompletenessField {...props} />
    </>
  );
}

function WordListFields({ set, onChange, lists }: FieldProps & { lists: WordList[] }) {
  const query = useQuery(profileOptionsQuery);
  const failure = useFailure(query);
  const otherwise = failure ? null : undefined;
  return (
    <>
      {lists.map((name) => (
        <WordsField<string>
          chosen={set[name]}
          key={name}
          label={wordLists[name].filter}
          onChange={(words) => onChange({ ...set, [name]: words })}
          words={query.data ? query.data[name] : otherwise}
        />
      ))}
      {failure && <WordsFailure error={failure} onRetry={query.refetch} />}
    </>
  );
}
