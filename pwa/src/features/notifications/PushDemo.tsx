import { Play } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useSettings } from '@/domain/storedSettings.ts';
import { paths } from '@/session/paths.ts';
import { Button, toast } from '@/ui';
import { playDemo, SAMPLE_MS, type Sample } from './demoSamples.ts';

/** Shows three sample notifications on this device; nothing is sent. */
export function PushDemo() {
  const settings = useSettings();
  const [playing, setPlaying] = useState(false);
  const stop = useRef<() => void>(() => undefined);
  useEffect(() => () => stop.current(), []);

  function start() {
    setPlaying(true);
    stop.current = playDemo(
      (sample) => {
        toast({ title: sample.title, description: sample.body, duration: SAMPLE_MS });
        void showSample(sample, settings).catch(() => undefined);
      },
      () => {
        setPlaying(false);
        toast({ title: 'Demo complete', description: 'That is all there is to it. None of it was real.' });
      },
    );
  }

  return (
    <section className="card flex flex-wrap items-center gap-4 p-5">
      <div className="min-w-[min(100%,13rem)] flex-1">
        <h2 className="font-display font-semibold text-lg">See how it looks</h2>
        <p className="text-muted text-sm">
          Three samples in eleven seconds: a match, a message, likes. With your sound and vibration, and
          outside of the app too where notifications are on.
        </p>
      </div>
      <Button busy={playing} className="max-sm:w-full" onClick={start} variant="secondary">
        <Play aria-hidden="true" className="size-4" />
        Start demo
      </Button>
    </section>
  );
}

type SampleOptions = { sound: boolean; vibration: boolean };

async function showSample({ title, body, tag }: Sample, { sound, vibration }: SampleOptions): Promise<void> {
  if (!('Notification' in globalThis) || Notification.permission !== 'granted') return;
  const registration = await navigator.serviceWorker?.getRegistration();
  const options: NotificationOptions & { vibrate?: number[] } = {
    body,
    tag,
    silent: !sound,
    icon: '/icons/icon-192.png',
    badge: '/icons/monochrome-512.png',
    data: { path: paths.settingsTab('notifications') },
  };
  if (sound && vibration) options.vibrate = [200, 100, 200];
  await registration?.showNotification(title, options);
}
