import { CalendarHeart, Lock, type LucideIcon, Sparkles } from 'lucide-react';

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
  {
    icon: Lock,
    title: 'Private',
    text: 'Your reflections are private. No other member, moderator or admin can read them.',
  },
];

/** What the Love Pulse is, in three cards. */
export function Features() {
  return (
    <ul className="grid gap-3 sm:grid-cols-3">
      {features.map(({ icon: Icon, title, text }) => (
        <li className="card p-4" key={title}>
          <Icon aria-hidden="true" className="size-5.5 text-ember" strokeWidth={1.75} />
          <h2 className="mt-2 font-semibold">{title}</h2>
          <p className="mt-0.5 text-muted text-sm">{text}</p>
        </li>
      ))}
    </ul>
  );
}

const steps = [
  'Each day has one question. The day begins at midnight where you are.',
  'Choose the heart that is closest to how you feel, and write a few words. You can change them until the day is over.',
  'Days in a row make a streak. Missing one costs nothing: the next day simply begins a new one.',
  'It works without a connection. What you write is sent when you are online again.',
];

/** How it works, in four steps. */
export function HowItWorks() {
  return (
    <section aria-labelledby="pulse-how" className="card p-5">
      <h2 className="font-display font-semibold text-lg" id="pulse-how">
        How Love Pulse Works
      </h2>
      <ol className="mt-3 flex list-decimal flex-col gap-2 pl-5 marker:text-muted">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p className="mt-3 text-muted text-sm">
        Your reflections are private. If you graduate with someone, the two of you can choose to share them,
        and each of you can end that at any time.
      </p>
    </section>
  );
}
