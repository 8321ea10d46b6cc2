import { useEffect, useEffectEvent, useState } from 'react';
import { getDb } from '@/offline/store/db.ts';
import { useMember } from '@/session/session.ts';
import { Celebration } from './Celebration.tsx';
import { followTyping, nextMoment } from './celebrations.ts';
import type { Moment } from './moments.ts';

/** Shows the queued celebrations one after the other; `onDone` runs after each. */
export function Celebrations({ onDone }: { onDone: (moment: Moment) => void }) {
  const me = useMember();
  const [moment, setMoment] = useState<Moment | null>(null);
  const show = useEffectEvent((next: Moment | undefined) => {
    if (!next) return;
    navigator.vibrate?.([20, 60, 30]);
    setMoment(next);
  });
  useEffect(followTyping, []);
  useEffect(() => {
    if (moment) return;
    const stop = new AbortController();
    void nextMoment(getDb(), stop.signal).then(show).catch(console.warn);
    return () => stop.abort();
  }, [moment]);

  if (!moment) return null;
  function done() {
    setMoment(null);
    if (moment) onDone(moment);
  }
  return <Celebration key={moment.id} me={me} moment={moment} onDone={done} />;
}
