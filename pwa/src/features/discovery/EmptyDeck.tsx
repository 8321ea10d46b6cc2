import { useOnline } from '@/offline/device/online.ts';
import { paths } from '@/session/paths.ts';
import { Button, ButtonLink, EmptyState, useAction } from '@/ui';
import { useFilters, usePreview } from './filters.ts';
import { newPeopleText } from './newPeople.ts';
import { Suggestions } from './Suggestions.tsx';
import WhatHelps from './WhatHelps.tsx';

type EmptyDeckProps = {
  /** The first name of the member whose pass can be undone. */
  passedName: string | undefined;
  busy: boolean;
  /** When more people are shown, if the daily limit is reached. */
  newPeopleAt: string | null | undefined;
  onRestart: () => void;
  onUndo: () => void;
};

/**
 * The deck without cards: a refresh, the last pass, changes of the filters that find members, how many people are near,
 * and what else helps.
 */
export default function EmptyDeck({ passedName, busy, newPeopleAt, onRestart, onUndo }: EmptyDeckProps) {
  const { filters, apply, applying } = useFilters();
  const { preview } = usePreview(filters);
  const online = useOnline();
  const limitText = newPeopleText(newPeopleAt);

  const [widen] = useAction(apply);

  return (
    <EmptyState
      action={
        <div className="flex flex-col items-center gap-2">
          <Button busy={busy} onClick={onRestart}>
            Find More Matches
          </Button>
          {passedName !== undefined && (
            <Button onClick={onUndo} variant="ghost">
              Bring {passedName} back
            </Button>
          )}
          <Suggestions
            disabled={applying || !online}
            onPick={widen}
            suggestions={preview?.suggestions ?? []}
          />
          <ButtonLink to={paths.settingsTab('filters')} variant="ghost">
            Change filters
          </ButtonLink>
          <WhatHelps />
        </div>
      }
      art="hearts"
      text={limitText ?? 'You have seen everyone who fits your filters for now.'}
      title="No More Matches"
    />
  );
}
