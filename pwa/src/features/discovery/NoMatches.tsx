import { Suspense } from 'react';
import type { FilterSet } from '@/api/types.ts';
import { useOnline } from '@/offline/device/online.ts';
import { Button, EmptyState, lazyWithRetry, useAction } from '@/ui';
import { activeCount, reset, sameFilters } from './filterSet.ts';
import { usePreview } from './filters.ts';
import { newPeopleText } from './newPeople.ts';
import { Suggestions } from './Suggestions.tsx';

const WhatHelps = lazyWithRetry(() => import('./WhatHelps.tsx'));

type NoMatchesProps = {
  filters: FilterSet | undefined;
  onApply: (filters: FilterSet) => Promise<void>;
  applying: boolean;
  onRefresh: () => void;
  /** Whether the list is being fetched. */
  busy: boolean;
  /** When more people are shown, if the daily limit is reached. */
  newPeopleAt: string | null | undefined;
};

/** The empty state: suggestions that relax one filter each or clear all of them, how many people are near, and what else helps. */
export function NoMatches({ filters, onApply, applying, onRefresh, busy, newPeopleAt }: NoMatchesProps) {
  const { preview } = usePreview(filters);
  const online = useOnline();
  const suggestions = preview?.suggestions ?? [];
  const limitText = newPeopleText(newPeopleAt);
  const changed = filters !== undefined && !sameFilters(filters, reset(filters));

  const [apply] = useAction(onApply);

  return (
    <EmptyState
      action={
        <div className="flex flex-col items-center gap-4">
          <Suggestions disabled={applying || !online} onPick={apply} suggestions={suggestions} />
          {changed ? (
            <Button busy={applying} disabled={!online} onClick={() => apply(reset(filters))}>
              Reset Filters
            </Button>
          ) : (
            <Button busy={busy} onClick={onRefresh}>
              Refresh
            </Button>
          )}
          <Suspense>
            <WhatHelps />
          </Suspense>
        </div>
      }
      art="road"
      text={
        limitText ??
        (filters && (suggestions.length > 0 || activeCount(filters) > 0)
          ? 'No one fits all of your filters right now. Try widening them a little.'
          : 'No one new is near you right now. Check back a little later.')
      }
      title={limitText ? 'More people later' : 'No matches found'}
    />
  );
}
