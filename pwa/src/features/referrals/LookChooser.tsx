import type { Look, Tier } from '@/api/types.ts';
import { type LookOption, profileFrames, profileThemes } from '@/domain/profile/premium.ts';
import { paths } from '@/session/paths.ts';
import { useMember } from '@/session/session.ts';
import { Avatar, ButtonLink, cn, Photo, useAction } from '@/ui';
import { ProfileFrame, ProfileTheme } from '@/ui/ProfileLook.tsx';
import { saveLook } from './referrals.ts';

type LookChooserProps = { reachedTier: number; tiers: Tier[] };

/** The theme and the frame of the member's profile, with a preview. Each choice is stored at once. */
export function LookChooser({ reachedTier, tiers }: LookChooserProps) {
  const me = useMember();
  const stored: Look = { theme: me.profileTheme, frame: me.profileFrame };
  const [choose, { running, isBusy }] = useAction((next: Look) => saveLook(me.id, next));
  const look = running?.[0] ?? stored;

  const nameOf = (level: number) => tiers.find((tier) => tier.level === level)?.name;
  const group = { disabled: !me.isPremium || isBusy, nameOf, reachedTier };
  return (
    <section aria-labelledby="look-title" className="card mt-6 p-5">
      <h2 className="font-display font-semibold text-lg" id="look-title">
        Your profile's look
      </h2>
      <p className="mt-1 text-muted">
        {me.isPremium
          ? 'Everyone who opens your profile sees it, while Premium lasts.'
          : 'With Premium, you choose how your profile looks to others.'}
      </p>
      <Preview look={look} />
      <Options
        {...group}
        legend="Theme"
        name="theme"
        onChoose={(theme) => void choose({ ...look, theme })}
        options={profileThemes}
        value={look.theme}
      />
      <Options
        {...group}
        legend="Frame of your first photo"
        name="frame"
        onChoose={(frame) => void choose({ ...look, frame })}
        options={profileFrames}
        value={look.frame}
      />
      {me.isPremium && (
        <ButtonLink className="mt-5" to={paths.member(me.id)} variant="secondary">
          See your profile
        </ButtonLink>
      )}
    </section>
  );
}

function Preview({ look }: { look: Look }) {
  const me = useMember();
  const [photo] = me.photos;
  return (
    <div aria-hidden="true" className="mt-4">
      <ProfileTheme className="mx-0 md:mx-0 md:p-3" theme={look.theme}>
        <div className={cn('flex flex-wrap items-center gap-4', !look.theme && 'rounded-card bg-paper p-3')}>
          <ProfileFrame className="w-24 shrink-0" frame={look.frame}>
            {photo ? (
              <Photo
                alt=""
                className={look.frame ? 'rounded-control' : 'w-24 shrink-0 rounded-control'}
                photo={{ url: photo.thumbUrl, placeholder: photo.placeholder }}
              />
            ) : (
              <Avatar size="lg" user={me} />
            )}
          </ProfileFrame>
          <div className="card min-w-[min(100%,8rem)] flex-1 p-4">
            <p className="truncate font-display font-semibold text-lg" dir="auto">
              {me.firstName}
            </p>
            <p className="line-clamp-2 text-muted text-sm" dir="auto">
              {me.bio || 'What others read about you.'}
            </p>
          </div>
        </div>
      </ProfileTheme>
    </div>
  );
}

type OptionsProps<Name extends string> = {
  legend: string;
  name: string;
  options: LookOption<Name>[];
  value: Name | null;
  disabled: boolean;
  reachedTier: number;
  nameOf: (level: number) => string | undefined;
  onChoose: (value: Name | null) => void;
};

function Options<Name extends string>({
  legend,
  name,
  options,
  value,
  disabled,
  reachedTier,
  nameOf,
  onChoose,
}: OptionsProps<Name>) {
  return (
    <fieldset className="mt-5">
      <legend className="font-medium">{legend}</legend>
      <div className="mt-2 flex flex-wrap gap-2">
        {[{ value: null, label: 'None', tier: undefined }, ...options].map((option) => {
          const isLocked = (option.tier ?? 0) > reachedTier;
          return (
            <label
              className={cn(
                'relative inline-flex min-h-11 flex-wrap items-center gap-x-2 rounded-control border border-control bg-surface px-4 py-1.5 font-medium text-sm has-checked:border-ember has-checked:bg-ember-soft has-checked:text-ember-strong has-focus-visible:outline-2 has-focus-visible:outline-focus has-focus-visible:outline-offset-2',
                (disabled || isLocked) && 'opacity-70',
              )}
              key={option.label}
            >
              <input
                checked={value === option.value}
                className="absolute inset-0 size-full opacity-0"
                disabled={disabled || isLocked}
                name={name}
                onChange={() => onChoose(option.value)}
                type="radio"
              />
              {name === 'theme' && option.value && (
                <span
                  aria-hidden="true"
                  className="size-5 rounded-full border border-control"
                  data-profile-theme={option.value}
                />
              )}
              {option.label}
              {isLocked && option.tier !== undefined && (
                <span className="font-normal text-muted">with {nameOf(option.tier) ?? 'a tier'}</span>
              )}
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}
