import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { describeError } from '@/api/client.ts';
import { profileOptionsQuery, suggestTowns } from '@/api/shared.ts';
import type { FilterSet, WordList } from '@/api/types.ts';
import { listsOf, wordLists } from '@/api/wordLists.ts';
import { useOnline } from '@/offline/device/online.ts';
import { Button, Combobox, ErrorState, Skeleton, Switch, toast, toastError } from '@/ui';
import {
  AgeField,
  CompletenessField,
  type FieldProps,
  GreetingFields,
  Group,
  IntentionsField,
  LastActiveField,
  ShortDistanceField,
  WordsField,
} from './FilterFields.tsx';
import { peopleText, sameFilters, settingsReset } from './filterSet.ts';
import { useFilters, usePreview } from './filters.ts';

/** The filters in the settings: the same set as Discover's, with other fields. */
export function FiltersSettings() {
  const { filters, failed, apply, applying } = useFilters();
  if (!filters && failed) return <ErrorState title="Failed to fetch filters" />;
  if (!filters) return <FormSkeleton />;
  // A change on another device remounts the form with the stored filters.
  return <FiltersForm applying={applying} filters={filters} key={JSON.stringify(filters)} onApply={apply} />;
}

type FormProps = { filters: FilterSet; applying: boolean; onApply: (filters: FilterSet) => Promise<void> };

function FiltersForm({ filters, applying, onApply }: FormProps) {
  const [draft, setDraft] = useState(filters);
  const { preview, waiting } = usePreview(draft);
  const online = useOnline();

  async function apply() {
    try {
      await onApply(draft);
      toast({ title: 'Settings saved' });
    } catch (error) {
      toastError(describeError(error));
    }
  }

  return (
    <div className="flex flex-col gap-7">
      <SettingsFields onChange={setDraft} set={draft} />
      <div className="border-line border-t pt-5">
        <p aria-live="polite" className={`mb-3 text-sm ${waiting ? 'text-muted' : ''}`}>
          {online
            ? preview && `These filters show ${peopleText(preview)}.`
            : "You're offline. Filters can be changed when you are back."}
        </p>
        <div className="grid grid-cols-2 gap-3 md:flex md:justify-end">
          <Button onClick={() => setDraft(settingsReset(draft))} variant="secondary">
            Reset
          </Button>
          <Button busy={applying} disabled={!online || sameFilters(draft, filters)} onClick={apply}>
            Apply Filters
          </Button>
        </div>
      </div>
    </div>
  );
}

function SettingsFields({ set, onChange }: FieldProps) {
  const setCity = (city: string) => onChange({ ...set, location: { ...set.location, city } });
  return (
    <div className="grid gap-x-10 gap-y-7 md:grid-cols-2">
      <Group title="Who and where">
        <AgeField max={80} onChange={onChange} set={set} />
        <ShortDistanceField onChange={onChange} set={set} />
        <Combobox
          hint="Only people in this town. Leave blank for everywhere."
          label="City"
          maxLength={100}
          onChange={setCity}
          onPick={(town) => setCity(town.city)}
          suggest={suggestTowns}
          value={set.location.city}
        />
      </Group>
      <Group title="Profile and activity">
        <LastActiveField onChange={onChange} set={set} />
        <CompletenessField onChange={onChange} set={set} />
        <GreetingFields onChange={onChange} set={set} />
        <Switch
          checked={set.mlRecommendations}
          hint="When compatibility is equal, people similar to those you liked come first."
          label="Learn from my likes"
          onChange={(mlRecommendations) => onChange({ ...set, mlRecommendations })}
        />
      </Group>
      <Group title="What they are looking for">
        <IntentionsField label="Relationship intentions" onChange={onChange} set={set} />
        <WordListFields lists={listsOf('intentions')} onChange={onChange} set={set} />
      </Group>
      <Group title="Who they are">
        <WordListFields lists={[...listsOf('traits'), ...listsOf('meet')]} onChange={onChange} set={set} />
      </Group>
      <Group title="Everyday life">
        <WordListFields lists={listsOf('everyday')} onChange={onChange} set={set} />
      </Group>
    </div>
  );
}

function WordListFields({ set, onChange, lists }: FieldProps & { lists: WordList[] }) {
  const { data: options } = useQuery(profileOptionsQuery);
  return lists.map((name) => (
    <WordsField<string>
      chosen={set[name]}
      key={name}
      label={wordLists[name].filter}
      onChange={(words) => onChange({ ...set, [name]: words })}
      words={options?.[name]}
    />
  ));
}

function FormSkeleton() {
  return (
    <div aria-label="Loading filters" className="flex flex-col gap-4" role="status">
      <Skeleton className="h-16" />
      <Skeleton className="h-16" />
      <Skeleton className="h-12" />
      <Skeleton className="h-32" />
    </div>
  );
}
