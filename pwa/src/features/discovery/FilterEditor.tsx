import { RotateCcw, X } from 'lucide-react';
import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { ApiError } from '@/api/request.ts';
import type { FilterPreview, FilterSet } from '@/api/types.ts';
import { useOnline } from '@/offline/device/online.ts';
import { Button, IconButton, Sheet } from '@/ui';
import { DiscoverFields } from './DiscoverFields.tsx';
import { activeCount, defaults, peopleText } from './filterSet.ts';
import { usePreview } from './filters.ts';
import { Suggestions } from './Suggestions.tsx';

type FilterEditorProps = {
  filters: FilterSet;
  /** On a phone it is a sheet of its own, wider it lies in the page. */
  inSheet: boolean;
  onApply: (filters: FilterSet) => Promise<void>;
  onClose: () => void;
};

/**
 * The panel, opened. Every change shows at once whom it would leave; nothing is stored before Apply, so that a
 * slider on its way does not throw away the list behind it.
 */
export default function FilterEditor({ filters, inSheet, onApply, onClose }: FilterEditorProps) {
  const [draft, setDraft] = useState(filters);
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState('');
  const { preview, waiting, error } = usePreview(draft);
  const online = useOnline();
  const noteId = useId();

  async function apply() {
    setBusy(true);
    setTrouble('');
    try {
      await onApply(draft);
      onClose();
    } catch (failure) {
      setTrouble(failure instanceof ApiError ? reasonOf(failure) : 'Please try again.');
    } finally {
      setBusy(false);
    }
  }

  const nobody = preview?.count === 0 && !waiting;
  const note = noteOf(
    online,
    trouble || (error instanceof ApiError && !error.isNetwork ? reasonOf(error) : ''),
  );
  const title = 'Advanced Filters';
  const active = activeCount(draft);
  const clear = active > 0 && (
    <Button className="-mr-3" onClick={() => setDraft(defaults)} size="sm" variant="ghost">
      Clear All
    </Button>
  );
  const body = (
    <>
      <DiscoverFields onChange={setDraft} set={draft} />
      {nobody && preview && (
        <div className="mt-7 rounded-card bg-marigold-soft p-4 text-marigold-ink">
          <p className="font-semibold">Nobody fits all of this right now.</p>
          <Suggestions onPick={setDraft} suggestions={preview.suggestions} />
        </div>
      )}
    </>
  );
  const actions = (
    <Actions note={note} noteId={noteId}>
      <Button className="px-3" onClick={() => setDraft(defaults)} size="sm" variant="secondary">
        <RotateCcw aria-hidden="true" className="size-4.5 shrink-0" strokeWidth={1.75} />
        Reset to Default
      </Button>
      <ApplyButton
        aria-describedby={note ? noteId : undefined}
        busy={busy}
        disabled={!online}
        onClick={apply}
        preview={preview}
        waiting={waiting}
      />
    </Actions>
  );

  if (inSheet) {
    return (
      <Sheet actions={actions} full onClose={onClose} open title={title}>
        {/* Its place is always there: nothing may move under the finger on a slider. */}
        <div className="mb-2 flex min-h-11 items-center justify-between">
          <p className="text-muted text-sm">{active === 0 ? 'None active' : `${active} active`}</p>
          {clear}
        </div>
        {body}
      </Sheet>
    );
  }
  return (
    <Inline actions={actions} clear={clear} onClose={onClose} title={title}>
      {body}
    </Inline>
  );
}

type ApplyButtonProps = Omit<ComponentProps<typeof Button>, 'children'> & {
  preview: FilterPreview | undefined;
  waiting: boolean;
};

/** Says whom it will show. */
function ApplyButton({ preview, waiting, ...rest }: ApplyButtonProps) {
  return (
    <Button className="flex-col gap-0 px-4 py-1.5 leading-tight" {...rest}>
      <span>Apply Filters</span>
      {preview && (
        <span aria-live="polite" className={`font-medium text-xs ${waiting ? 'opacity-55' : ''}`}>
          Show {peopleText(preview)}
        </span>
      )}
    </Button>
  );
}

/** What a refusal says, with the field's own words where it names one. */
function reasonOf(error: ApiError): string {
  return Object.values(error.fieldErrors)[0] ?? error.detail;
}

function noteOf(online: boolean, trouble: string): string {
  if (!online) return "You're offline. Filters can be changed when you are back.";
  return trouble;
}

function Actions({ note, noteId, children }: { note: string; noteId: string; children: ReactNode }) {
  return (
    <div className="w-full">
      {note && (
        <p className="mb-3 text-danger text-sm" id={noteId} role="alert">
          {note}
        </p>
      )}
      <div className="grid grid-cols-2 gap-3 md:flex md:justify-end">{children}</div>
    </div>
  );
}

type InlineProps = {
  title: string;
  clear: ReactNode;
  actions: ReactNode;
  onClose: () => void;
  children: ReactNode;
};

/** In the page, above the grid; the focus goes in when it opens, and Escape closes it. */
function Inline({ title, clear, actions, onClose, children }: InlineProps) {
  const ref = useRef<HTMLElement>(null);
  const titleId = useId();
  useEffect(() => ref.current?.focus(), []);
  return (
    <section
      aria-labelledby={titleId}
      className="card mb-6 p-6 outline-offset-4"
      onKeyDown={(event) => event.key === 'Escape' && !event.defaultPrevented && onClose()}
      ref={ref}
      tabIndex={-1}
    >
      <div className="mb-5 flex items-center gap-4">
        <h2 className="flex-1 font-display font-semibold text-xl" id={titleId}>
          {title}
        </h2>
        {clear}
        <IconButton className="-mr-2" icon={X} label="Close filters" onClick={onClose} />
      </div>
      {children}
      <div className="mt-7 border-line border-t pt-5">{actions}</div>
    </section>
  );
}
