import { SlidersHorizontal } from 'lucide-react';
import { type Ref, Suspense, startTransition, useRef, useState } from 'react';
import type { FilterSet } from '@/api/types.ts';
import { Badge, Button, lazyWithRetry, Skeleton, useMediaQuery } from '@/ui';
import { shownCount } from './filterSet.ts';

const FilterEditor = lazyWithRetry(() => import('./FilterEditor.tsx'));

type FilterPanelProps = {
  /** Undefined until loaded. */
  filters: FilterSet | undefined;
  onApply: (filters: FilterSet) => Promise<void>;
  /** Called with each change in the panel of a wide screen, where the list is visible below; null when it is closed. */
  onDraft: (filters: FilterSet | null) => void;
};

/** A line with the number of active filters that opens the filter editor. */
export function FilterPanel({ filters, onApply, onDraft }: FilterPanelProps) {
  const [open, setOpen] = useState(false);
  /** Whether the editor was just closed; the button is then focused. */
  const closed = useRef(false);
  const wide = useMediaQuery('(min-width: 768px)');

  function close() {
    closed.current = true;
    setOpen(false);
    onDraft(null);
  }

  function restoreFocus(button: HTMLButtonElement | null) {
    if (!button || !closed.current) return;
    closed.current = false;
    button.focus();
  }

  const editor = open && filters && (
    <Suspense fallback={wide && <Skeleton className="mb-6 h-96 rounded-card" />}>
      <FilterEditor
        filters={filters}
        onApply={onApply}
        onClose={close}
        onDraft={wide ? onDraft : undefined}
        place={wide ? 'panel' : 'sheet'}
      />
    </Suspense>
  );
  // In the page the editor replaces the line; a sheet covers it and restores the focus by itself.
  if (editor && wide) return editor;
  return (
    <>
      <FilterLine
        active={filters ? shownCount(filters) : 0}
        isLoaded={filters !== undefined}
        isOpen={open}
        // In a task after the frame of the tap, which would have to draw the sheet otherwise.
        onOpen={() => startTransition(() => setOpen(true))}
        ref={restoreFocus}
      />
      {editor}
    </>
  );
}

type FilterLineProps = {
  /** The number of active filters. */
  active: number;
  isLoaded: boolean;
  isOpen: boolean;
  onOpen: () => void;
  /** The button. */
  ref: Ref<HTMLButtonElement>;
};

function FilterLine({ active, isLoaded, isOpen, onOpen, ref }: FilterLineProps) {
  return (
    <section
      aria-label="Advanced Filters"
      className="mb-1 flex flex-wrap items-center gap-2 md:mb-6 md:gap-3 md:rounded-card md:border md:border-line md:bg-surface md:py-2.5 md:pe-2.5 md:ps-4"
    >
      <SlidersHorizontal aria-hidden="true" className="size-5 shrink-0 text-ember-strong" />
      <div className="flex min-w-0 flex-1 basis-26 flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="font-semibold text-sm leading-tight min-[360px]:text-base">Advanced Filters</h2>
        {active > 0 && (
          <Badge className="whitespace-nowrap" tone="ember">
            {active} active
          </Badge>
        )}
      </div>
      <Button
        aria-expanded={isOpen}
        className="shrink-0 whitespace-nowrap"
        disabled={!isLoaded}
        onClick={onOpen}
        ref={ref}
        size="sm"
        variant="secondary"
      >
        Customize Search
      </Button>
    </section>
  );
}
