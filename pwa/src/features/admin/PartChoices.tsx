import { useId } from 'react';
import type { OpenedReport, ProfilePart } from '@/api/types.ts';
import { slotLabels } from './adminLabels.ts';

type Option = { part: ProfilePart; label: string; text: string };

/** Returns what can be removed from the reported profile: the parts in the newest evidence, as the moderator sees them. */
export function removableParts(
  report: Pick<OpenedReport, 'evidence' | 'files' | 'additions' | 'place'>,
): Option[] {
  const options: Option[] = [];
  const numbers: Record<string, number> = {};
  for (const { id, slot, messageId } of report.files) {
    // A recorded answer goes with its prompt.
    if (messageId !== null || slot === null || slot === 'prompt' || slot === 'post') continue;
    const number = (numbers[slot] ?? 0) + 1;
    numbers[slot] = number;
    options.push({ part: { part: slot, fileId: id }, label: `${slotLabels[slot]} ${number}`, text: '' });
  }
  const profile =
    report.additions.findLast(({ evidence }) => evidence)?.evidence?.profile ?? report.evidence?.profile;
  if (!profile) return options;
  for (const { question, answer } of profile.prompts)
    options.push({
      part: { part: 'prompt', question, text: answer },
      label: `Answer: ${question}`,
      text: answer || 'A recording',
    });
  const texts = [
    ['bio', 'Bio', profile.bio],
    ['love_reflection', 'What love means to them', profile.loveReflection],
    ['occupation', 'Work', profile.occupation],
  ] as const;
  for (const [part, label, text] of texts) if (text) options.push({ part: { part, text }, label, text });
  return options;
}

const isSame = (a: ProfilePart, b: ProfilePart) =>
  a.part === b.part && a.fileId === b.fileId && a.question === b.question;

type PartChoicesProps = {
  report: OpenedReport;
  chosen: ProfilePart[];
  onChange: (parts: ProfilePart[]) => void;
  error?: string;
};

/** Which parts of the profile a decision removes. */
export function PartChoices({ report, chosen, onChange, error }: PartChoicesProps) {
  const id = useId();
  return (
    <fieldset aria-describedby={error ? id : undefined} className="flex min-w-0 flex-col gap-1">
      <legend className="mb-1 font-medium text-sm">Parts of the profile</legend>
      {removableParts(report).map(({ part, label, text }) => {
        const isChosen = chosen.some((other) => isSame(other, part));
        return (
          <label className="flex min-h-11 cursor-pointer items-center gap-3" key={label}>
            <input
              checked={isChosen}
              className="size-5 shrink-0 accent-ember"
              onChange={() =>
                onChange(isChosen ? chosen.filter((other) => !isSame(other, part)) : [...chosen, part])
              }
              type="checkbox"
            />
            <span className="min-w-0 flex-1 text-sm">
              <span className="block [overflow-wrap:anywhere]" dir="auto">
                {label}
              </span>
              {text && (
                <span className="line-clamp-2 block text-muted text-xs [overflow-wrap:anywhere]" dir="auto">
                  {text}
                </span>
              )}
            </span>
          </label>
        );
      })}
      {error && (
        <p className="text-danger text-sm" id={id} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
