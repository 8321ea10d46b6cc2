import type { MePatch } from '@/api/types.ts';
import { paths } from '@/session/paths.ts';
import { setMe, useMember } from '@/session/session.ts';
import { ButtonLink, Switch, toast, useAction } from '@/ui';
import { PauseEnd } from './PauseEnd.tsx';
import { useIsPaused } from './pause.ts';
import type { PrivacySwitch } from './profileDraft.ts';
import { saveProfile } from './profileRequests.ts';

const switches: { name: PrivacySwitch; label: string; hint: string }[] = [
  {
    name: 'paused',
    label: 'Pause my profile',
    hint: "New people won't see you, and you can't like anyone. Your matches and conversations stay as they are.",
  },
  {
    name: 'firstNameOnly',
    label: 'First name only until we match',
    hint: 'People see your full name once you have matched with each other.',
  },
  {
    name: 'incognito',
    label: 'Incognito',
    hint: 'Only people you like can see you. You can browse as usual.',
  },
  {
    name: 'hideOnline',
    label: 'Hide when I am online',
    hint: "No one sees when you're online or were last active, and you won't see theirs. Messages show as delivered once they are read or answered.",
  },
  {
    name: 'hideReadReceipts',
    label: 'Hide read receipts',
    hint: "No one sees when you've read a message, and you won't see when they have.",
  },
  {
    name: 'hidePremium',
    label: 'Hide my Premium badge',
    hint: "No one sees that you have Premium or which tier you've reached. You keep all the perks.",
  },
  {
    name: 'hideBadges',
    label: 'Hide my badges',
    hint: 'No one sees badges on your profile. You keep them, and still earn new ones.',
  },
];

/** The switches for visibility, presence and read receipts. Each takes effect at once on all devices. */
export function PrivacySettings() {
  const me = useMember();
  const paused = useIsPaused();

  const isShown = ({ name }: { name: PrivacySwitch }) =>
    name !== 'hidePremium' || me.isPremium || me.hidePremium;

  const [change, { isBusy }] = useAction(async (patch: Pick<MePatch, PrivacySwitch | 'pausedUntil'>) => {
    await setMe(await saveProfile(patch));
    toast({ title: 'Settings saved' });
  });

  return (
    <section className="card p-5">
      <h2 className="font-display font-semibold text-lg">Who sees you</h2>
      <div className="mt-2 divide-y divide-line">
        {switches.filter(isShown).map(({ name, ...texts }) => (
          <div key={name}>
            <Switch
              {...texts}
              checked={name === 'paused' ? paused : me[name]}
              className="py-3"
              disabled={isBusy}
              onChange={(on) => change({ [name]: on })}
            />
            {name === 'paused' && paused && (
              <PauseEnd
                busy={isBusy}
                onChange={(pausedUntil) => change({ paused: true, pausedUntil })}
                until={me.pausedUntil}
              />
            )}
          </div>
        ))}
      </div>
      <ButtonLink className="mt-3" to={paths.member(me.id)} variant="secondary">
        See yourself as a stranger does
      </ButtonLink>
    </section>
  );
}
