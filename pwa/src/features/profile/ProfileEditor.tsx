import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Gender, Me } from '@/api/types.ts';
import { genderPlurals } from '@/domain/profile/labels.ts';
import { paths } from '@/session/paths.ts';
import { meKey, queryClient } from '@/session/query.ts';
import { Badge, Button, Sheet, toast } from '@/ui';
import { UNKNOWN_TOWN } from './fields.tsx';
import { type MediaId, MediaSheet, mediaSections } from './MediaSheet.tsx';
import { PhotoEditor } from './PhotoEditor.tsx';
import { fieldsOf, type SectionId } from './profileDraft.ts';
import { sections } from './sections.ts';
import { TextsStatus } from './TextsStatus.tsx';
import { type DraftState, useProfileDraft } from './useProfileDraft.ts';
import { useVerificationNotice, VerificationEndDialog } from './VerificationEnd.tsx';

type EditorSection = SectionId | MediaId;
/** What a row opens: a section, or the filters, which have whom the member wants to see. */
type EditorRow = EditorSection | 'filters';

type EditorProps = {
  me: Me;
  /** The section to open first. */
  part?: string;
  onClose: () => void;
};

const groups: { title: string; parts: EditorRow[] }[] = [
  { title: 'In your words', parts: ['about', 'prompts'] },
  { title: 'In your voice', parts: ['voice', 'video'] },
  { title: "What you're looking for", parts: ['filters', 'intentions'] },
  { title: 'The basics', parts: ['name', 'meet', 'town', 'life', 'everyday', 'traits'] },
  { title: 'More pictures', parts: ['banner', 'gallery'] },
];

const isSection = (part: EditorSection): part is SectionId => part in sections;
const requestedSection = (part = ''): EditorSection | null =>
  part in sections || part in mediaSections ? (part as EditorSection) : null;

/**
 * The editor of the profile: a list of sections, each opened and saved by itself. Unsaved changes stay on the device.
 */
export default function ProfileEditor({ me, part, onClose }: EditorProps) {
  const [open, setOpen] = useState<EditorSection | null>(() => requestedSection(part));
  const draftState = useProfileDraft(me);
  useVerificationNotice(me);
  const close = () => setOpen(null);
  return (
    <Sheet actions={<Button onClick={onClose}>Done</Button>} full onClose={onClose} open title="Edit Profile">
      <div className="flex flex-col gap-8">
        <PhotoEditor me={me} />
        {groups.map((group) => (
          <section aria-label={group.title} key={group.title}>
            <h3 className="mb-2 font-display font-semibold text-lg">{group.title}</h3>
            <ul className="card divide-y divide-line overflow-hidden">
              {group.parts.map((id) => (
                <li key={id}>
                  {id === 'filters' ? (
                    <FiltersRow me={me} />
                  ) : (
                    <Row id={id} me={me} onOpen={() => setOpen(id)} draftState={draftState} />
                  )}
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      {open && isSection(open) && <SectionSheet id={open} me={me} onClose={close} draftState={draftState} />}
      {open && !isSection(open) && <MediaSheet id={open} me={me} onClose={close} />}
    </Sheet>
  );
}

const KEPT = {
  title: 'Kept on this device',
  description: "It will be saved once you're connected again.",
};

/** Returns the toast after a town was saved: the server has just said whether it knows it. */
function townSavedToast() {
  const isKnown = queryClient.getQueryData<Me>(meKey)?.townKnown ?? true;
  if (isKnown) return { title: 'Profile saved' };
  return { title: 'Profile saved, but we do not know this town', description: UNKNOWN_TOWN };
}

const rowStyle =
  'flex min-h-16 w-full items-center gap-3 px-4 py-3 text-start -outline-offset-2 transition-colors hover:bg-raised';

/** The genders that the member wants to see, with a link to the filter editor, which changes them. */
function FiltersRow({ me }: { me: Me }) {
  const genders = me.interestedIn.map((gender) => genderPlurals[gender as Gender] ?? gender);
  return (
    <Link className={rowStyle} to={paths.settingsTab('filters')} viewTransition>
      <span className="min-w-0 flex-1">
        <span className="font-medium">Who you want to see</span>
        <span className="line-clamp-1 text-muted text-sm">
          {genders.join(', ') || 'Everyone'} · age, distance and more in Filters
        </span>
      </span>
      <ChevronRight aria-hidden="true" className="size-5 shrink-0 text-muted" />
    </Link>
  );
}

type RowProps = { id: EditorSection; me: Me; draftState: DraftState; onOpen: () => void };

function Row({ id, me, draftState, onOpen }: RowProps) {
  const { title } = isSection(id) ? sections[id] : mediaSections[id];
  const summary = isSection(id) ? sections[id].summary(draftState.draft) : mediaSections[id].summary(me);
  const unsaved = isSection(id) && draftState.unsaved(fieldsOf(id));
  return (
    <button className={rowStyle} onClick={onOpen} type="button">
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-2 font-medium">
          {title}
          {unsaved && <Badge tone="marigold">Not saved yet</Badge>}
        </span>
        <span className="line-clamp-1 text-muted text-sm">{summary || 'Add'}</span>
      </span>
      <ChevronRight aria-hidden="true" className="size-5 shrink-0 text-muted" />
    </button>
  );
}

function SectionSheet({
  id,
  me,
  draftState,
  onClose,
}: {
  id: SectionId;
  me: Me;
  draftState: DraftState;
  onClose: () => void;
}) {
  const { title, Fields } = sections[id];
  const fields = fieldsOf(id);
  const unsaved = draftState.unsaved(fields);
  const [asking, setAsking] = useState(false);
  const ends = me.isVerified && id === 'name' && draftState.unsaved(['fullName', 'birthDate']);

  async function save() {
    const result = await draftState.save(fields);
    if (!result) return;
    if (unsaved)
      toast(result === 'kept' ? KEPT : id === 'town' ? townSavedToast() : { title: 'Profile saved' });
    onClose();
  }

  return (
    <Sheet
      actions={
        <>
          {unsaved && (
            <Button onClick={() => draftState.discard(fields)} variant="secondary">
              Discard changes
            </Button>
          )}
          <Button busy={draftState.busy} onClick={ends ? () => setAsking(true) : save}>
            Save
          </Button>
        </>
      }
      full
      onClose={onClose}
      open
      title={title}
    >
      <div className="flex flex-col gap-6">
        <Fields draft={draftState.draft} errors={draftState.errors} set={draftState.set} />
        <TextsStatus draftState={draftState} fields={fields} me={me} />
      </div>
      {asking && (
        <VerificationEndDialog onClose={() => setAsking(false)} onConfirm={save} confirm="Save the change" />
      )}
    </Sheet>
  );
}
