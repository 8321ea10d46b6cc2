import { useQuery } from '@tanstack/react-query';
import { Bell, BellOff } from 'lucide-react';
import { useState } from 'react';
import {
  addPushSubscription,
  hasPushSubscription,
  pushSupported,
  removePushSubscription,
} from '@/offline/push.ts';
import { Button, toast } from '@/ui';

type State = 'unsupported' | 'blocked' | 'on' | 'off';

async function readState(): Promise<State> {
  if (!pushSupported()) return 'unsupported';
  if (Notification.permission === 'denied') return 'blocked';
  return Notification.permission === 'granted' && (await hasPushSubscription()) ? 'on' : 'off';
}

const texts: Record<State, string> = {
  unsupported:
    'This browser cannot show notifications. On an iPhone, add Heartward to the home screen first.',
  blocked: 'Notifications are blocked. Allow them for this site in the settings of your browser.',
  on: 'This device tells you when someone matches with you or writes to you.',
  off: 'Know when someone matches with you or writes to you. You can turn this off at any time.',
};

/** Our own page before the browser's question: nothing is asked without a tap. One switch for this device. */
export function NotificationsCard() {
  const { data: state, refetch } = useQuery({ queryKey: ['push-state'], queryFn: readState, staleTime: 0 });
  const [busy, setBusy] = useState(false);
  if (!state) return null;

  async function run(work: () => Promise<unknown>) {
    setBusy(true);
    await work().catch(() =>
      toast({
        title: 'Notifications not enabled',
        description: 'Could not request notification permission. Check your connection and try again.',
        variant: 'destructive',
      }),
    );
    await refetch();
    setBusy(false);
  }

  async function turnOn() {
    const answer = await addPushSubscription();
    if (answer === 'denied') toast({ title: 'Notifications blocked', description: texts.blocked });
    if (answer === 'dismissed')
      toast({ title: 'Notifications not enabled', description: 'You can turn them on later.' });
  }

  const Icon = state === 'on' ? Bell : BellOff;
  return (
    <section className="card flex flex-col gap-4 p-5 sm:flex-row sm:items-center">
      <Icon aria-hidden="true" className="size-6 shrink-0 text-ember-strong" strokeWidth={1.75} />
      <div className="min-w-0 flex-1">
        <h2 className="font-semibold">Notifications</h2>
        <p className="text-muted text-sm">{texts[state]}</p>
      </div>
      {state === 'off' && (
        <Button busy={busy} onClick={() => void run(turnOn)}>
          Turn on
        </Button>
      )}
      {state === 'on' && (
        <Button busy={busy} onClick={() => void run(() => removePushSubscription())} variant="secondary">
          Turn off
        </Button>
      )}
    </section>
  );
}
