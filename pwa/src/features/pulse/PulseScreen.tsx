import { Bell } from 'lucide-react';
import { useState } from 'react';
import { storageKeys } from '@/base/storage.ts';
import { paths } from '@/session/paths.ts';
import { Button, ButtonLink, Screen, Skeleton } from '@/ui';
import { Features, HowItWorks } from './About.tsx';
import { streakOn, yearBefore } from './day.ts';
import { History } from './History.tsx';
import { type PulseView, usePulse, useToday } from './pulse.ts';
import { TodayCard } from './TodayCard.tsx';
import { useReaders } from './together.ts';
import { WeekStrip } from './WeekStrip.tsx';
import { YearAgo } from './YearAgo.tsx';
import { YearView } from './YearView.tsx';

const NOTHING: PulseView = { entries: [], next: null, streak: null };

/** /love-pulse: one question a day, for the member alone. */
export default function PulseScreen() {
  const { data, state, refresh } = usePulse();
  // A device that has never loaded anything can write all the same.
  const view = data ?? (state === 'error' ? NOTHING : null);
  return (
    <Screen back={paths.profile} title="Love Pulse Daily">
      {view ? <Content failed={state === 'error'} onRetry={() => void refresh()} view={view} /> : <Loading />}
    </Screen>
  );
}

function Content({ view, failed, onRetry }: { view: PulseView; failed: boolean; onRetry: () => void }) {
  const today = useToday();
  const readers = useReaders();
  const [showsStreak, setShowsStreak] = useShowsStreak();
  const lastYear = yearBefore(today);
  const { entries } = view;
  const saved = entries.filter(({ state }) => state !== 'failed');
  const dates = new Set(saved.map(({ date }) => date));
  return (
    <div className="grid grid-cols-1 items-start gap-5 pb-8 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="flex flex-col gap-5">
        <TodayCard
          entries={entries}
          readers={readers}
          streak={showsStreak ? streakOn(today, view.streak, dates) : null}
          today={today}
        />
        {failed && (
          <p className="card flex flex-wrap items-center justify-between gap-3 p-4">
            We could not load what you wrote before.
            <Button onClick={onRetry} size="sm" variant="secondary">
              Try again
            </Button>
          </p>
        )}
        <WeekStrip entries={saved} showsRest={showsStreak} today={today} />
        {lastYear && <YearAgo date={lastYear} key={lastYear} />}
        <YearView entries={saved} today={today} />
      </div>
      <div className="flex flex-col gap-5">
        <History entries={entries} hasMore={view.next !== null} />
        <ButtonLink className="self-center" to={paths.settingsTab('notifications')} variant="secondary">
          <Bell aria-hidden="true" className="size-5" />
          Daily reminder
        </ButtonLink>
        <HowItWorks onShowStreak={setShowsStreak} readers={readers} showsStreak={showsStreak} />
      </div>
      <div className="lg:col-span-2">
        <Features readers={readers} />
      </div>
    </div>
  );
}

/** Whether the member wants to see the streak on this device. */
function useShowsStreak(): [boolean, (shows: boolean) => void] {
  const [shows, setShows] = useState(() => localStorage.getItem(storageKeys.pulseStreak) !== 'off');
  function change(next: boolean) {
    if (next) localStorage.removeItem(storageKeys.pulseStreak);
    else localStorage.setItem(storageKeys.pulseStreak, 'off');
    setShows(next);
  }
  return [shows, change];
}

function Loading() {
  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="flex flex-col gap-5">
        <Skeleton className="h-112 rounded-card" />
        <Skeleton className="h-36 rounded-card" />
        <Skeleton className="h-96 rounded-card" />
      </div>
      <Skeleton className="h-96 rounded-card" />
    </div>
  );
}
