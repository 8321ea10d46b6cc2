import { type SubmitEvent, useState } from 'react';
import { MAX_LIST_MEMBERS_CITY, MAX_LIST_MEMBERS_SEARCH } from '@/api/limits.gen.ts';
import { Button, Select, TextField } from '@/ui';
import { statusLabels } from './adminLabels.ts';
import type { MemberFilter } from './adminRequests.ts';

type UserFiltersProps = { filter: MemberFilter; onChange: (filter: MemberFilter) => void };

type Mark = 'isVerified' | 'isFeatured' | 'isGraduated';

const marks: [Mark, string][] = [
  ['isVerified', 'Verified'],
  ['isFeatured', 'Featured'],
  ['isGraduated', 'Graduated'],
];

const texts = { any: undefined, yes: true, no: false };
type Choice = keyof typeof texts;

const choiceOf = (value?: boolean): Choice => (value === undefined ? 'any' : value ? 'yes' : 'no');

/** The filters of the list of members. Choices apply at once, texts with Enter or the button. */
export function UserFilters({ filter, onChange }: UserFiltersProps) {
  const [search, setSearch] = useState(filter.search ?? '');
  const [city, setCity] = useState(filter.city ?? '');

  function submit(event: SubmitEvent) {
    event.preventDefault();
    onChange({ ...filter, search: search.trim() || undefined, city: city.trim() || undefined });
  }

  return (
    <form
      className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,8rem),1fr))] items-end gap-3 xl:grid-cols-[2fr_1fr_1fr_1fr_1fr_1fr_auto]"
      onSubmit={submit}
    >
      <TextField
        label="Name or whole email address"
        maxLength={MAX_LIST_MEMBERS_SEARCH}
        onChange={(event) => setSearch(event.target.value)}
        type="search"
        value={search}
      />
      <TextField
        label="Town"
        maxLength={MAX_LIST_MEMBERS_CITY}
        onChange={(event) => setCity(event.target.value)}
        type="search"
        value={city}
      />
      <Select
        label="Status"
        onChange={({ target }) =>
          onChange({ ...filter, status: (target.value || undefined) as MemberFilter['status'] })
        }
        value={filter.status ?? ''}
      >
        <option value="">Any</option>
        {Object.entries(statusLabels).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      {marks.map(([mark, label]) => (
        <Select
          key={mark}
          label={label}
          onChange={({ target }) => onChange({ ...filter, [mark]: texts[target.value as Choice] })}
          value={choiceOf(filter[mark])}
        >
          <option value="any">Any</option>
          <option value="yes">Yes</option>
          <option value="no">No</option>
        </Select>
      ))}
      <Button type="submit" variant="secondary">
        Search
      </Button>
    </form>
  );
}
