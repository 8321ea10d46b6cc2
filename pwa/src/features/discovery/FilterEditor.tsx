import { RotateCcw, X } from 'lucide-react';
import {
  type ComponentProps,
  type ReactNode,
  useDeferredValue,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { ApiError } from '@/api/request.ts';
import type { FilterPreview, FilterSet } from '@/api/types.ts';
import { useOnline } from '@/offline/device/online.ts';
import { paths } from '@/session/paths.ts';
import { Button, ButtonLink, IconButton, Sheet, useAction } from '@/ui';
import { FilterForm } from './FilterForm.tsx';
import { activeCount, peopleText, reset, sameFilters, shownCount } from './filterSet.ts';
import { usePreview } from './filters.ts';
import { Suggestions } from './Suggestions.tsx';

type FilterEditorProps = {
  /** The stored filters. */
  filters: FilterSet;
  /** The editor is a sheet on a phone, a panel above the list on a wide screen, or the content of a tab. */
  place: 'sheet' | 'panel' | 'tab';
  onApply: (filters: FilterSet) => Promise<void>;
  /** Called with each change, so that a list can show it; nothing is stored before Apply. */
  onDraft?: (filters: FilterSet) => void;
  /** Closes a sheet or panel. Changes that were not applied are discarded. */
  onClose?: () => void;
};

/** The editor of the filters, the same in Discover and in the settings. Each change updates the count. */
export default function FilterEditor({ filters, place, onApply, onDraft, onClose }: FilterEditorProps) {
  const [draft, setDraftState] = useState(filters);
  const { preview, waiting, error } = usePreview(draft);
  const online = useOnline();
  const noteId = useId();

  function setDraft(next: FilterSet) {
    setDraftState(next);
    onDraft?.(next);
  }

  const [apply, { isBusy, error: problem }] = useApply(async () => {
    await onApply(draft);
    onClose?.();
  });
  const notice = noticeOf(online, problem, error);
  const title = 'Advanced Filters';
  const clear = activeCount(draft) > 0 && (
    <Button className="-me-3" onClick={() => setDraft(reset(draft))} size="sm" variant="ghost">
      Clear All
    </Button>
  );
  const body = (
    <>
      <FilterForm onChange={setDraft} set={draft} />
      {/* The settings show it above this editor. */}
      {place !== 'tab' && <TownLink />}
      {preview?.count === 0 && !waiting && <NoneFits onPick={setDraft} preview={preview} />}
    </>
  );
  const actions = (
    <Actions changed={!sameFilters(draft, filters)} notice={notice} noteId={noteId}>
      <Button className="px-3" onClick={() => setDraft(reset(draft))} size="sm" variant="secondary">
        <RotateCcw aria-hidden="true" className="size-4.5 shrink-0" />
        Reset to Default
      </Button>
      <ApplyButton
        aria-describedby={notice ? noteId : undefined}
        busy={isBusy}
        disabled={!online}
        onClick={apply}
        preview={preview}
        waiting={waiting}
      />
    </Actions>
  );

  if (place === 'sheet') {
    return (
      <FilterSheet actions={actions} active={shownCount(draft)} clear={clear} onClose={onClose} title={title}>
        {body}
      </FilterSheet>
    );
  }
  return (
    <InlinePanel actions={actions} clear={clear} onClose={onClose} title={title}>
      {body}
    </InlinePanel>
  );
}

const useApply = (apply: () => Promise<void>) =>
  useAction(apply, {
    inline: true,
    errorText: (failure) => (failure instanceof ApiError ? reasonOf(failure) : 'Please try again.'),
  });

const TownLink = () => (
  <ButtonLink className="mt-4 -ms-3" size="sm" to={paths.settingsTab('filters')} variant="ghost">
    Look in another town for a week
  </ButtonLink>
);

type NoneFitsProps = { preview: FilterPreview; onPick: (filters: FilterSet) => void };

/** Says that the filters find nobody, with filters that do. */
const NoneFits = ({ preview, onPick }: NoneFitsProps) => (
  <div className="mt-7 rounded-card bg-marigold-soft p-4 text-marigold-ink">
    <p className="font-semibold">No one fits all of this right now.</p>
    <Suggestions onPick={onPick} suggestions={preview.suggestions} />
  </div>
);

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
        <span aria-busy={waiting} aria-live="polite" className="font-medium text-xs">
          Show {peopleText(preview)}
          {waiting && '…'}
        </span>
      )}
    </Button>
  );
}

/** Returns the text of a rejection: the field's error if there is one. */
function reasonOf(error: ApiError): string {
  return Object.values(error.fieldErrors)[0] ?? error.detail;
}

/** Returns why the filters cannot be applied, or could not be: `problem`, or the error of the preview. */
function noticeOf(online: boolean, problem: string, previewError: Error | null): string {
  if (!online) return "You're offline. Filters can be changed when you are back.";
  if (problem) return problem;
  return previewError instanceof ApiError && !previewError.isNetwork ? reasonOf(previewError) : '';
}

type ActionsProps = {
  /** Whether there are changes to apply. */
  changed: boolean;
  notice: string;
  noteId: string;
  children: ReactNode;
};

function Actions({ changed, notice, noteId, children }: ActionsProps) {
  return (
    <div className="w-full">
      {notice && (
        <p className="mb-3 text-danger text-sm" id={noteId} role="alert">
          {notice}
        </p>
      )}
      <div className="flex flex-wrap items-center justify-end gap-3">
        <p className="w-full text-muted text-sm md:w-auto md:flex-1">
          {changed ? 'Apply to use these filters in both lists, on all your devices.' : ''}
        </p>
        <div className="grid w-full grid-cols-2 gap-3 md:flex md:w-auto">{children}</div>
      </div>
    </div>
  );
}

type InlinePanelProps = {
  title: string;
  clear: ReactNode;
  actions: ReactNode;
  onClose?: () => void;
  children: ReactNode;
};

type FilterSheetProps = InlinePanelProps & { active: number };

/** The editor over the list. */
function FilterSheet({ title, active, clear, actions, onClose, children }: FilterSheetProps) {
  // The sheet makes the whole page behind it inert, for which a slow phone needs a frame: the fields are drawn in the next
  // ones.
  const isDrawn = useDeferredValue(true, false);
  return (
    <Sheet actions={actions} full onClose={() => onClose?.()} open title={title}>
      {/* Space is always reserved: nothing may shift under a finger on a slider. */}
      <div className="mb-2 flex min-h-11 items-center justify-between">
        <p className="text-muted text-sm">{active === 0 ? 'None active' : `${active} active`}</p>
        {clear}
      </div>
      {isDrawn && children}
    </Sheet>
  );
}

/** The editor as a part of the page. If it can be closed, it takes the focus when it opens, and Escape closes it. */
function InlinePanel({ title, clear, actions, onClose, children }: InlinePanelProps) {
  const ref = useRef<HTMLElement>(null);
  const titleId = useId();
  const canClose = onClose !== undefined;
  useEffect(() => {
    if (canClose) ref.current?.focus();
  }, [canClose]);
  return (
    <section
      aria-labelledby={titleId}
      className="card mb-6 p-4 outline-offset-4 md:p-6"
      onKeyDown={(event) => event.key === 'Escape' && !event.defaultPrevented && onClose?.()}
      ref={ref}
      tabIndex={-1}
    >
      <div className="mb-5 flex items-center gap-4">
        <h2 className="flex-1 font-display font-semibold text-xl" id={titleId}>
          {title}
        </h2>
        {clear}
        {onClose && <IconButton className="-me-2" icon={X} label="Close filters" onClick={onClose} />}
      </div>
      {children}
      <div className="mt-7 border-line border-t pt-5">{actions}</div>
    </section>
  );
}
