import { useId, useState } from 'react';
import { MAX_START_VISIT_CITY } from '@/api/limits.gen.ts';
import { suggestTowns } from '@/api/sharedRequests.ts';
import type { Me, Place } from '@/api/types.ts';
import { visitText } from '@/domain/profile/visit.ts';
import { useOnline } from '@/offline/device/online.ts';
import { setMe } from '@/session/session.ts';
import { Button, Combobox, toast, useAction, useForm } from '@/ui';
import { describeVisit, useVisit } from './useVisit.ts';
import { endVisit, startVisit } from './visitRequests.ts';

/** Begins and ends a visit: a week in which the member looks in another town. Calls `onChange` after both. */
export function VisitSettings({ onChange }: { onChange: () => void }) {
  const visit = useVisit();
  const online = useOnline();
  const titleId = useId();
  const [choosing, setChoosing] = useState(false);

  async function change(request: Promise<Me>): Promise<void> {
    const changed = await request;
    await setMe(changed);
    setChoosing(false);
    onChange();
    toast({ title: changed.visit ? `Looking in ${changed.visit.city} now` : 'Back home' });
  }
  const [goHome, { isBusy }] = useAction(() => change(endVisit()));

  return (
    <section aria-labelledby={titleId} className="card p-4 md:p-6">
      <h2 className="font-display font-semibold text-xl" id={titleId}>
        Look in another town for a week
      </h2>
      <p className={visit ? 'mt-2 font-medium' : 'mt-1 text-muted'}>
        {visit ? describeVisit(visit) : 'Before a trip, or where you would like to live.'}
      </p>
      {(visit || choosing) && <Consequences visit={visit} />}
      {!online && (
        <p className="mt-3 text-muted" role="status">
          You’re offline. You can choose a town when you are back.
        </p>
      )}
      {choosing && online ? (
        <TownForm onCancel={() => setChoosing(false)} onSubmit={(place) => change(startVisit(place))} />
      ) : (
        <div className="mt-4 flex flex-wrap gap-3">
          {visit && (
            <Button busy={isBusy} disabled={!online} onClick={goHome}>
              Back home
            </Button>
          )}
          <Button disabled={!online} onClick={() => setChoosing(true)} variant="secondary">
            {visit ? 'Choose another town' : 'Choose a town'}
          </Button>
        </div>
      )}
    </section>
  );
}

/** What a visit changes and who sees it, before and during the visit. */
function Consequences({ visit }: { visit: Me['visit'] }) {
  return (
    <p className="mt-1 text-muted text-sm">
      {visit
        ? `Others see “${visitText({ visit })}” on your card and profile.`
        : 'For seven days you find people around the town you choose, and they find you there instead of at home. ' +
          'Everyone who sees your card or profile also sees which town you are visiting. You can go back home at ' +
          'any time.'}
    </p>
  );
}

const focus = (input: HTMLInputElement | null) => input?.focus();

type Town = {
  city: string;
  /** The town of the list; null while the text names none. */
  place: Place | null;
};

const noTown: Town = { city: '', place: null };

const checkTown = ({ place }: Town) => ({
  city: place ? undefined : 'Please choose a town from the list.',
});

type TownFormProps = { onCancel: () => void; onSubmit: (place: Place) => Promise<void> };

function TownForm({ onCancel, onSubmit }: TownFormProps) {
  const form = useForm(noTown, { check: checkTown, inline: true });
  const { city, place } = form.values;

  return (
    <form
      className="mt-4 flex flex-col gap-4 sm:flex-row sm:items-start"
      noValidate
      onSubmit={form.submit(({ place }) => place && onSubmit(place))}
    >
      <div className="min-w-0 flex-1">
        <Combobox
          error={form.errorOf('city') || form.error}
          hint={
            place
              ? `Others will see “Visiting ${place.city} this week” beside your own town.`
              : 'Up to five towns a week.'
          }
          label="Town"
          maxLength={MAX_START_VISIT_CITY}
          onChange={(next) => form.set({ city: next, place: null })}
          ref={focus}
          onPick={(picked) => form.set({ city: picked.label, place: picked })}
          suggest={suggestTowns}
          value={city}
        />
      </div>
      <div className="flex flex-wrap gap-3 sm:mt-7">
        <Button busy={form.isBusy} type="submit">
          Look there
        </Button>
        <Button disabled={form.isBusy} onClick={onCancel} variant="ghost">
          Cancel
        </Button>
      </div>
    </form>
  );
}
