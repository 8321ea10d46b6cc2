import { Suspense } from 'react';
import { describeLoadError } from '@/api/client.ts';
import type { FilterSet } from '@/api/types.ts';
import { ErrorState, lazyWithRetry, Skeleton, toast } from '@/ui';
import { useFilters } from './filters.ts';

const FilterEditor = lazyWithRetry(() => import('./FilterEditor.tsx'));

/** The filter editor in the settings. */
export function FiltersSettings() {
  const { filters, error, refresh, apply } = useFilters();
  if (!filters && error)
    return (
      <ErrorState
        onRetry={refresh}
        text={describeLoadError(error)}
        title="Your filters could not be loaded"
      />
    );
  if (!filters) return <FormSkeleton />;

  async function applyAndConfirm(next: FilterSet) {
    await apply(next);
    toast({ title: 'Settings saved' });
  }

  return (
    <Suspense fallback={<FormSkeleton />}>
      {/* A change on another device remounts the editor with the stored filters. */}
      <FilterEditor filters={filters} key={JSON.stringify(filters)} onApply={applyAndConfirm} place="tab" />
    </Suspense>
  );
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
