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
  /** Whether the editor is a sheet, as on a phone, or part of the page. */
  inSheet: boolean;
  onApply: (filters: FilterSet) => Promise<void>;
  onClose: () => void;
};

/**
 * The editor of the filters. Each change updates the count at once; nothing is stored before Apply, so that moving a
 * slider does not replace the list behind it.
 */
export default function FilterEditor({ filters, inSheet, onApply, onClose }: FilterEditorProps) {
  const [draft, setDraft] = useState(filters);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const { preview, waiting, error } = usePreview(draft);
  const online = useOnline();
  const noteId = useId();

  async function apply() {
    setBusy(true);
    setProblem('');
    try {
      await onApply(draft);
      onClose();
    } catch (failure) {
      setProblem(failure instanceof ApiError ? reasonOf(failure) : 'Please try again.');
    } finally {
      setBusy(false);
    }
  }

  const isEmpty = preview?.count === 0 && !waiting;
  const notice = noticeOf(
    online,
    problem || (error instanceof ApiError && !error.isNetwork ? reasonOf(error) : ''),
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
      {isEmpty && preview && (
        <div className="mt-7 rounded-card bg-marigold-soft p-4 text-marigold-ink">
          <p className="font-semibold">No one fits all of this right now.</p>
          <Suggestions onPick={setDraft} suggestions={preview.suggestions} />
        </div>
      )}
    </>
  );
  const actions = (
    <Actions notice={notice} noteId={noteId}>
      <Button className="px-3" onClick={() => setDraft(defaults)} size="sm" variant="secondary">
        <RotateCcw aria-hidden="true" className="size-4.5 shrink-0" strokeWidth={1.75} />
        Reset to Default
      </Button>
      <ApplyButton
        aria-describedby={notice ? noteId : undefined}
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
        {/* Space is always reserved: nothing may shift under a finger on a slider. */}
        <div className="mb-2 flex min-h-11 items-center justify-between">
          <p className="text-muted text-sm">{active === 0 ? 'None active' : `${active} active`}</p>
          {clear}
        </div>
        {body}
      </Sheet>
    );
  }
  return (
    <InlinePanel actions={actions} clear={clear} onClose={onClose} title={title}>
      {body}
    </InlinePanel>
  );
}

type ApplyButtonProps = Omit<ComponentProps<typeof Button>, 'children'> & {
  preview: FilterPreview | undefined;
  waiting: boolean;
};

/** The Apply button with the number of members it will show. */
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

/** Returns the text of a rejection: the field's error if there is one. */
function reasonOf(error: ApiError): string {
  return Object.values(error.fieldErrors)[0] ?? error.detail;
}

function noticeOf(online: boolean, problem: string): string {
  if (!online) return "You're offline. Filters can be changed when you are back.";
  return problem;
}

function Actions({ notice, noteId, children }: { notice: string; noteId: string; children: ReactNode }) {
  return (
    <div className="w-full">
      {notice && (
        <p className="mb-3 text-danger text-sm" id={noteId} role="alert">
          {notice}
        </p>
      )}
      <div className="grid grid-cols-2 gap-3 md:flex md:justify-end">{children}</div>
    </div>
  );
}

type InlinePanelProps = {
  title: string;
  clear: ReactNode;
  actions: ReactNode;
  onClose: () => void;
  children: ReactNode;
};

/** The panel in the page, above the grid. It takes the focus when it opens, and Escape closes it. */
function InlinePanel({ title, clear, actions, onClose, children }: InlinePanelProps) {
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
