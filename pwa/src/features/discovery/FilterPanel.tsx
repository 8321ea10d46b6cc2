import { SlidersHorizontal } from 'lucide-react';
import { lazy, Suspense, useRef, useState, useSyncExternalStore } from 'react';
import type { FilterSet } from '@/api/types.ts';
import { Badge, Button, Skeleton } from '@/ui';
import { activeCount } from './filterSet.ts';

const FilterEditor = lazy(() => import('./FilterEditor.tsx'));

type FilterPanelProps = {
  /** Undefined until they are known. */
  filters: FilterSet | undefined;
  onApply: (filters: FilterSet) => Promise<void>;
};

/** Advanced Filters: one line that says how many are active, and the panel behind it. */
export function FilterPanel({ filters, onApply }: FilterPanelProps) {
  const [open, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const wide = useWide();
  const active = filters ? activeCount(filters) : 0;

  function close() {
    setOpen(false);
    opener.current?.focus();
  }

  return (
    <>
      <section aria-label="Advanced Filters" className="card mb-6 flex items-center gap-3 py-2 pr-2 pl-4">
        <SlidersHorizontal
          aria-hidden="true"
          className="size-5 shrink-0 text-ember-strong"
          strokeWidth={1.75}
        />
        <h2 className="font-semibold">
          <span className="max-[379px]:sr-only">Advanced </span>Filters
        </h2>
        <span className="flex-1">{active > 0 && <Badge tone="ember">{active} active</Badge>}</span>
        <Button
          aria-expanded={open}
          disabled={!filters}
          onClick={() => (open ? close() : setOpen(true))}
          ref={opener}
          size="sm"
          variant="secondary"
        >
          Customize Search
        </Button>
      </section>
      {open && filters && (
        <Suspense fallback={wide && <Skeleton className="mb-6 h-96 rounded-card" />}>
          <FilterEditor filters={filters} inSheet={!wide} onApply={onApply} onClose={close} />
        </Suspense>
      )}
    </>
  );
}

const query = '(min-width: 768px)';

/** Whether there is room for the panel in the page. */
function useWide(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = matchMedia(query);
      list.addEventListener('change', changed);
      return () => list.removeEventListener('change', changed);
    },
    () => matchMedia(query).matches,
  );
}
