import type { Me } from '@/api/types.ts';
import { useOnline } from '@/offline/device/online.ts';
import { type Draft, draftOf } from './profileDraft.ts';
import { textsIn } from './profileTexts.ts';
import type { DraftState } from './useProfileDraft.ts';

type TextsStatusProps = { me: Me; fields: readonly (keyof Draft)[]; draftState: DraftState };

/** Says below the fields of a section when its changed texts are saved, or why they could not be. */
export function TextsStatus({ me, fields, draftState: { waiting, draft } }: TextsStatusProps) {
  const online = useOnline();
  const waitingFields = Object.keys(textsIn(waiting?.changes ?? {})) as (keyof Draft)[];
  const shown = waitingFields.filter((field) => fields.includes(field));
  return (
    <p className="min-h-5 text-muted text-sm" role="status">
      {waiting && shown.length > 0 && textOf(waiting.rejection, online, otherTexts(me, draft, shown))}
    </p>
  );
}

/** Returns the stored texts that differ from those of the draft, each in quotes. */
function otherTexts(me: Me, draft: Draft, fields: readonly (keyof Draft)[]): string {
  const stored = draftOf(me);
  const differing = fields.filter((field) => JSON.stringify(stored[field]) !== JSON.stringify(draft[field]));
  const texts = differing.flatMap((field) =>
    field === 'prompts'
      ? stored.prompts.map(({ question, answer }) => `${question} ${answer}`)
      : String(stored[field] ?? ''),
  );
  return texts.map((text) => (text ? `“${text}”` : 'an empty text')).join(', ');
}

function textOf(rejection: string | null, online: boolean, others: string): string {
  if (rejection === 'changedElsewhere')
    return `You changed this on another device meanwhile. There it is ${others || 'an empty text'}. Save keeps what is written here; Discard changes keeps the other.`;
  if (rejection !== null) return `This was not saved. ${rejection}`;
  if (!online) return "Kept on this device. It will be saved once you're connected again.";
  return 'Kept on this device. It will be saved a minute after you stop typing, or when you press Save.';
}
