import { useEffect, useRef, useState } from 'react';
import { formatTime } from '@/base/format.ts';
import { Button, Screen } from '@/ui';
import { CelebrationOverlay } from './CelebrationOverlay.tsx';
import { type Celebration, type CelebrationType, celebrationTexts } from './celebration.ts';

const sparks = ['mutual_like', 'super_like', 'message_spark', 'voice_connection'] as const;
const names = ['Maya', 'Leo', 'Iris', 'Sam', 'Nora', 'Theo', 'Ana', 'Finn'];

/** The time between two sparks of 'Quick Test All'. */
const QUICK_TEST_MS = 1000;

type Spark = { id: number; type: CelebrationType; pair: [string, string]; at: Date };

/** Returns two different names. */
function randomPair(): [string, string] {
  const first = Math.floor(Math.random() * names.length);
  const second = (first + 1 + Math.floor(Math.random() * (names.length - 1))) % names.length;
  return [names[first] ?? '', names[second] ?? ''];
}

const personOf = (name: string): NonNullable<Celebration['user']> => ({
  firstName: name,
  fullName: name,
  profileImageUrl: null,
});

function stop(timers: ReturnType<typeof setTimeout>[]): void {
  for (const timer of timers.splice(0)) clearTimeout(timer);
}

/** Plays the celebrations of matches and sparks between people who do not exist. Nothing is stored or sent. */
export default function SparksDemoScreen() {
  const [shown, setShown] = useState<Spark | null>(null);
  const [played, setPlayed] = useState<Spark[]>([]);
  const timers = useRef<ReturnType<typeof setTimeout>[]>([]);
  const lastId = useRef(0);
  useEffect(() => () => stop(timers.current), []);

  function play(type: CelebrationType) {
    lastId.current += 1;
    const spark: Spark = { id: lastId.current, type, pair: randomPair(), at: new Date() };
    setShown(spark);
    setPlayed((before) => [spark, ...before]);
  }

  function playAll() {
    stop(timers.current);
    timers.current.push(...sparks.map((type, index) => setTimeout(play, index * QUICK_TEST_MS, type)));
  }

  return (
    <Screen title="Connection sparks demo" width="reading">
      <p className="text-lg text-muted">
        What you see when two people find each other, with names that are made up. Nothing is stored, and
        nobody is told.
      </p>
      <div className="mt-6 grid gap-3 sm:grid-cols-2">
        {sparks.map((type) => (
          <Button key={type} onClick={() => play(type)} variant="secondary">
            {celebrationTexts[type].title}
          </Button>
        ))}
      </div>
      <Button className="mt-3 w-full" onClick={playAll}>
        Quick Test All
      </Button>
      <h2 className="mt-8 font-display font-semibold text-xl">Played</h2>
      <PlayedSparks sparks={played} />
      {shown && (
        <CelebrationOverlay
          celebration={{
            id: String(shown.id),
            type: shown.type,
            name: shown.pair[1],
            user: personOf(shown.pair[1]),
          }}
          key={shown.id}
          me={personOf(shown.pair[0])}
          onDone={() => setShown((current) => (current?.id === shown.id ? null : current))}
        />
      )}
    </Screen>
  );
}

function PlayedSparks({ sparks: played }: { sparks: Spark[] }) {
  if (played.length === 0) return <p className="mt-2 text-muted">Nothing yet. Press a button above.</p>;
  return (
    <ol aria-label="Played sparks" className="mt-2 flex flex-col gap-2">
      {played.map(({ id, type, pair, at }) => (
        <li className="card flex items-baseline justify-between gap-3 p-3" key={id}>
          <span>
            <strong>{celebrationTexts[type].title}</strong> {pair.join(' and ')}
          </span>
          <time className="shrink-0 text-muted text-sm" dateTime={at.toISOString()}>
            {formatTime(at.toISOString())}
          </time>
        </li>
      ))}
    </ol>
  );
}
