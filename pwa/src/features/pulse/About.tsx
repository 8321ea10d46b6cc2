import { CalendarHeart, Lock, type LucideIcon, Sparkles } from 'lucide-react';
import type { ReactNode } from 'react';
import { Switch } from '@/ui';
import type { Readers } from './together.ts';

const features: { icon: LucideIcon; title: string; text: string }[] = [
  {
    icon: Sparkles,
    title: 'A question a day',
    text: 'Seven questions take turns. One mood and a few words are all it takes.',
  },
  {
    icon: CalendarHeart,
    title: 'Your weeks and years',
    text: 'See how you have been, day by day, in the colors of your moods.',
  },
];

/** What the Love Pulse is, in three cards. */
export function Features({ readers }: { readers: Readers }) {
  return (
    <ul className="grid gap-3 sm:grid-cols-3">
      {features.map((feature) => (
        <Feature key={feature.title} {...feature} />
      ))}
      <Feature icon={Lock} text={<Privacy readers={readers} />} title="Private" />
    </ul>
  );
}

function Feature({ icon: Icon, title, text }: { icon: LucideIcon; title: string; text: ReactNode }) {
  return (
    <li className="card p-4">
      <Icon aria-hidden="true" className="size-5.5 text-ember" />
      <h2 className="mt-2 font-semibold">{title}</h2>
      <p className="mt-0.5 text-muted text-sm">{text}</p>
    </li>
  );
}

function Privacy({ readers }: { readers: Readers }) {
  if (readers === 'me')
    return 'Your reflections are private. No other member, moderator or admin can read them.';
  return (
    <>
      {readers === 'unknown' ? 'Your partner' : <bdi>{readers.partner}</bdi>} reads what you write while you
      both share. No other member, moderator or admin can read it.
    </>
  );
}

/** Who can read what the member writes now, in a few words that are true whatever is known. */
export function ReadBy({ readers }: { readers: Readers }) {
  if (readers === 'me') return 'Only you can read this.';
  if (readers === 'unknown') return 'Only you can read this, and your partner while you both share.';
  return (
    <>
      Only you and <bdi>{readers.partner}</bdi> can read this.
    </>
  );
}

const steps = [
  'Each day has one question. The day begins at midnight where you are.',
  'Choose the heart that is closest to how you feel, and write a few words. You can change them until the day is over.',
  'Days in a row make a streak. After six of them you can rest for a day, and it goes on. Longer breaks are fine too: the next day begins a new one.',
  'It works without a connection. What you write is sent when you are online again.',
];

type HowItWorksProps = { readers: Readers; showsStreak: boolean; onShowStreak: (shows: boolean) => void };

/** How it works, in four steps, and whether the member wants to see the streak. */
export function HowItWorks({ readers, showsStreak, onShowStreak }: HowItWorksProps) {
  return (
    <section aria-labelledby="pulse-how" className="card p-5">
      <h2 className="font-display font-semibold text-lg" id="pulse-how">
        How Love Pulse Works
      </h2>
      <ol className="mt-3 flex list-decimal flex-col gap-2 ps-5 marker:text-muted">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p className="mt-3 text-muted text-sm">
        {typeof readers === 'string' ? (
          'Your reflections are private. If you graduate with someone, the two of you can choose to share them, and each of you can end that at any time.'
        ) : (
          <>
            You and <bdi>{readers.partner}</bdi> share your reflections. Each of you can end that at any time.
          </>
        )}
      </p>
      <Switch
        checked={showsStreak}
        className="mt-3 border-line border-t pt-3"
        hint="On this device. Your days are counted either way."
        label="Show my streak"
        onChange={onShowStreak}
      />
    </section>
  );
}
