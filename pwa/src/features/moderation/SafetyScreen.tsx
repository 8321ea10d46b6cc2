import { useQuery } from '@tanstack/react-query';
import { DoorOpen, HandCoins, ImageOff, LifeBuoy, MapPin, ShieldAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Safety } from '@/api/types.ts';
import { formatCount, formatDate, formatTime } from '@/base/format.ts';
import { paths } from '@/session/paths.ts';
import { useMe } from '@/session/session.ts';
import { Screen, Skeleton } from '@/ui';
import { useServedText } from '@/ui/ServedText.tsx';
import texts from './safety.json';
import { describeLoad, describeSpan, safetyQuery, storedSafety } from './safety.ts';

/** The pictures of the pieces of advice, in their order. */
const icons = [MapPin, DoorOpen, HandCoins, ImageOff, ShieldAlert];

/**
 * /safety: advice, the rules, whom to ask and what happens after a report. Everyone can read it. The server writes the
 * same texts into the document, for readers without JavaScript.
 */
export default function SafetyScreen() {
  const { me } = useMe();
  useServedText(true);
  const query = useQuery(safetyQuery);
  const stored = query.isError ? storedSafety() : undefined;
  const safety = query.data ?? stored;
  return (
    <Screen back={me ? paths.settings : paths.home} title="Safety center" width="reading">
      <p className="flex items-start gap-3 rounded-card bg-plum-soft p-4 text-plum">
        <LifeBuoy aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
        <span>{texts.emergency}</span>
      </p>
      {texts.advice.map(({ title, points }, index) => {
        const Icon = icons[index] ?? LifeBuoy;
        return (
          <section className="card mt-4 p-5" key={title}>
            <h2 className="flex items-center gap-3 font-display font-semibold text-lg">
              <Icon aria-hidden="true" className="size-6 shrink-0 text-ember" />
              {title}
            </h2>
            <Points points={points} />
          </section>
        );
      })}
      <EmergencyNumbers />
      <section className="card mt-4 p-5">
        <h2 className="font-display font-semibold text-lg">The rules</h2>
        <Points points={texts.rules} />
      </section>
      <section className="card mt-4 flex flex-col gap-3 p-5">
        <h2 className="font-display font-semibold text-lg">Reporting someone</h2>
        {texts.reporting.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        <Times safety={safety} isStored={stored !== undefined} isPending={query.isPending} />
      </section>
      <Contact isPending={query.isPending} safety={safety} />
    </Screen>
  );
}

function EmergencyNumbers() {
  return (
    <section className="card mt-4 p-5">
      <h2 className="font-display font-semibold text-lg">Emergency numbers</h2>
      <ul className="mt-3 flex list-disc flex-col gap-2 ps-5 marker:text-ember">
        {texts.emergencies.map(({ country, number, source }) => (
          <li key={country}>
            {country}: <strong>{number}</strong> (
            <a className="underline" href={source} rel="noreferrer" target="_blank">
              source<span className="sr-only"> for {country}</span>
            </a>
            )
          </li>
        ))}
      </ul>
    </section>
  );
}

type ContactProps = { safety?: Safety; isPending: boolean };

/** Our address, other helplines, and who runs the site. */
function Contact({ safety, isPending }: ContactProps) {
  return (
    <section className="card mt-4 flex flex-col gap-3 p-5" id="contact">
      <h2 className="font-display font-semibold text-lg">Writing to us</h2>
      <p>
        {safety ? (
          <>
            Write to{' '}
            <a className="font-semibold text-ember-strong underline" href={`mailto:${safety.contact}`}>
              <bdi>{safety.contact}</bdi>
            </a>
            {texts.contact}
          </>
        ) : isPending ? (
          <Skeleton className="h-6" />
        ) : (
          'Our address is shown here once you are online.'
        )}
      </p>
      <p>{texts.helpline}</p>
      {safety?.imprint && (
        <>
          <h3 className="font-semibold">Who runs this site</h3>
          <p className="whitespace-pre-wrap">{safety.imprint}</p>
        </>
      )}
    </section>
  );
}

function Points({ points }: { points: string[] }) {
  return (
    <ul className="mt-3 flex list-disc flex-col gap-2 ps-5 marker:text-ember">
      {points.map((point) => (
        <li key={point}>{point}</li>
      ))}
    </ul>
  );
}

type TimesProps = { safety?: Safety; isStored: boolean; isPending: boolean };

/** How fast reports are decided, as the server counts it. */
function Times({ safety, isStored, isPending }: TimesProps): ReactNode {
  if (!safety)
    return isPending ? (
      <div aria-label="Loading the times" role="status">
        <Skeleton className="rounded-card p-4">
          <p>{texts.tooFew}</p>
        </Skeleton>
      </div>
    ) : (
      <p className="text-muted">How fast we are is shown here once you are online.</p>
    );
  const times = safety.timeToAction;
  const at = new Date(safety.computedAt);
  return (
    <div className="rounded-card bg-sage-soft p-4">
      {times ? (
        <p>
          In the last 30 days we decided {formatCount(times.decided)} reports: half of them within{' '}
          <strong>{describeSpan(times.medianSeconds)}</strong>, and 95 of 100 within{' '}
          <strong>{describeSpan(times.p95Seconds)}</strong>.
        </p>
      ) : (
        <p>{texts.tooFew}</p>
      )}
      {safety.load && <p className="mt-1">{describeLoad(safety.load)}</p>}
      <p className="mt-1 text-sm">{texts.method}</p>
      {isStored && (
        <p className="mt-1 text-sm">
          As of {formatDate(at)}, {formatTime(at)}, when this device was last online.
        </p>
      )}
    </div>
  );
}
