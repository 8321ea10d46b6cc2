import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { intentionTagsQuery, profileOptionsQuery } from '@/api/sharedRequests.ts';
import { Badge } from '@/ui';
import { AgeField, DistanceField, type FieldProps, InterestedInField } from './FilterFields.tsx';
import { type FilterGroup, filterGroups } from './filterGroups.tsx';
import { activePaths } from './filterSet.ts';

/**
 * The inputs of all filters: the three that every member needs, then the others in groups that are closed unless one of
 * their filters is active.
 */
export function FilterForm({ set, onChange }: FieldProps) {
  // Loaded before a group that shows them is opened.
  useQuery(profileOptionsQuery);
  useQuery(intentionTagsQuery);
  const active = activePaths(set);
  return (
    <div className="flex flex-col gap-7">
      <div className="grid gap-x-10 gap-y-6 md:grid-cols-2">
        <InterestedInField onChange={onChange} set={set} />
        <div className="flex min-w-0 flex-col gap-4">
          <AgeField onChange={onChange} set={set} />
          <DistanceField onChange={onChange} set={set} />
        </div>
      </div>
      <div className="grid items-start gap-x-10 md:grid-cols-2">
        {columns.map((groups) => (
          <div className="min-w-0" key={groups[0]?.title}>
            {groups.map((group) => (
              <Group
                active={active.filter((path) => group.paths.includes(path)).length}
                group={group}
                key={group.title}
                onChange={onChange}
                set={set}
              />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

/** The columns of a wide screen, which are below each other on a phone. An opened group moves those of its column alone. */
const columns = [filterGroups.slice(0, 4), filterGroups.slice(4)];

function Group({ group, active, ...field }: FieldProps & { group: FilterGroup; active: number }) {
  const [open] = useState(active > 0);
  // The fields of a group are drawn when it is first opened, so that the editor opens fast on a slow phone.
  const [isDrawn, setDrawn] = useState(open);
  const { title, Fields } = group;
  return (
    <details className="group min-w-0 border-line border-t" onToggle={() => setDrawn(true)} open={open}>
      <summary className="flex min-h-14 cursor-pointer list-none items-center gap-3 py-2 [&::-webkit-details-marker]:hidden">
        <h3 className="font-display font-semibold text-lg">{title}</h3>
        {active > 0 && <Badge tone="ember">{active} active</Badge>}
        <ChevronDown
          aria-hidden="true"
          className="ms-auto size-5 shrink-0 text-muted transition-transform group-open:rotate-180"
        />
      </summary>
      {isDrawn && (
        <div className="flex flex-col gap-4 pt-1 pb-6">
          <Fields {...field} />
        </div>
      )}
    </details>
  );
}
