import type { FilterSet } from '@/api/types.ts';
import { Slider, Switch } from '@/ui';
import {
  AgeField,
  CompletenessField,
  DistanceField,
  type FieldProps,
  GreetingFields,
  Group,
  IntentionsField,
  LastActiveField,
  LifestyleFields,
} from './FilterFields.tsx';
import { withActivity } from './filterSet.ts';

/** The filters of Discover's panel. */
export function DiscoverFields({ set, onChange }: FieldProps) {
  return (
    <div className="grid gap-x-10 gap-y-7 md:grid-cols-2">
      <Group title="Age and distance">
        <AgeField max={65} onChange={onChange} set={set} />
        <DistanceField onChange={onChange} set={set} />
        <Switch
          checked={set.location.sameState}
          label="Same state only"
          onChange={(sameState) => onChange({ ...set, location: { ...set.location, sameState } })}
        />
      </Group>
      <Group title="What they are looking for">
        <IntentionsField label="Intentions" onChange={onChange} set={set} />
      </Group>
      <Group title="Life">
        <LifestyleFields onChange={onChange} set={set} />
      </Group>
      <Group title="Compatibility and order">
        <FitFields onChange={onChange} set={set} />
      </Group>
      <Group title="Activity">
        <Switch
          checked={set.compatibility.recentlyActive}
          hint="Active in the past week"
          label="Recently active"
          onChange={(recent) => onChange(withActivity(set, recent ? '1w' : 'any'))}
        />
        <LastActiveField onChange={onChange} set={set} />
      </Group>
      <Group title="Their profile">
        <Switch
          checked={set.verifiedOnly}
          label="Verified only"
          onChange={(verifiedOnly) => onChange({ ...set, verifiedOnly })}
        />
        <GreetingFields onChange={onChange} set={set} />
        <CompletenessField onChange={onChange} set={set} />
      </Group>
    </div>
  );
}

function FitFields({ set, onChange }: FieldProps) {
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
    </>
  );
}
