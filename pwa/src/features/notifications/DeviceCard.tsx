import { useQuery } from '@tanstack/react-query';
import { Bell, BellOff, CircleHelp } from 'lucide-react';
import { useEffect, useState } from 'react';
import { describeError } from '@/api/errors.ts';
import { ApiError } from '@/api/request.ts';
import { addPushSubscription, hasPushSubscription, pushSupported } from '@/offline/device/push.ts';
import { removePushSubscription } from '@/offline/device/pushRemoval.ts';
import { Button, ConfirmDialog, toast, toastError, useAction } from '@/ui';
import { blockedSteps } from './blockedHelp.ts';
import { ContentSwitch, DeviceCategories } from './DeviceSettings.tsx';
import { categories } from './pushCategories.ts';

type State = 'unsupported' | 'blocked' | 'on' | 'off';

/** Returns the state, or undefined if it depends on whether there is a subscription. */
function readStateOfPermission(): State | undefined {
  if (!pushSupported()) return 'unsupported';
  if (Notification.permission === 'denied') return 'blocked';
  return Notification.permission === 'granted' ? undefined : 'off';
}

const readState = async (): Promise<State> =>
  // Some browsers reject the question, such as in a private window. Turning notifications on then says why.
  readStateOfPermission() ?? ((await hasPushSubscription().catch(() => false)) ? 'on' : 'off');

/** The state of notifications on this device; undefined for the moment in which it is looked up. */
export const useDeviceState = () =>
  useQuery({
    queryKey: ['push-state'],
    queryFn: readState,
    initialData: readStateOfPermission,
    staleTime: 0,
  });

const texts: Record<State, string> = {
  unsupported:
    'This browser cannot show notifications. On an iPhone, add Heartward to the home screen first.',
  blocked: 'Notifications are blocked for this site in your browser.',
  on: 'This device tells you when someone matches with you or writes to you.',
  off: 'Know when someone matches with you or writes to you. You can turn this off at any time.',
};

/** Shows why notifications are not on. */
function showResult(result: Awaited<ReturnType<typeof addPushSubscription>>): void {
  if (result === 'denied')
    toast({
      title: 'Notifications blocked',
      description: 'Notifications are blocked. You can allow them in your browser.',
    });
  if (result === 'dismissed')
    toast({ title: 'Notifications not enabled', description: 'You can turn them on later.' });
  if (result === 'refused')
    toastError(
      "You allowed notifications, but this browser did not set them up. It may block push messages in its privacy settings, or can't reach its push service right now.",
      'Notifications not enabled',
    );
}

type DeviceCardProps = { state: State; refetch: () => Promise<unknown> };

/** The state of notifications on this device, with switches. */
export function DeviceCard({ state, refetch }: DeviceCardProps) {
  const [dialogOpen, setDialogOpen] = useState(false);
  useWhenVisible(refetch);

  const [run, { isBusy }] = useAction((work: () => Promise<unknown>) => work().finally(refetch), {
    errorTitle: 'Notifications not enabled',
    errorText: (error) =>
      error instanceof ApiError
        ? describeError(error)
        : 'Could not request notification permission. Check your connection and try again.',
  });

  async function turnOn() {
    setDialogOpen(false);
    showResult(await addPushSubscription());
  }

  const Icon = state === 'on' ? Bell : BellOff;
  return (
    <section className="card p-5">
      <div className="flex flex-wrap items-center gap-4">
        <Icon aria-hidden="true" className="size-6 shrink-0 text-ember-strong" />
        <div className="min-w-[min(100%,10rem)] flex-1">
          <h2 className="font-display font-semibold text-lg">This device</h2>
          <p className="text-muted text-sm">{texts[state]}</p>
        </div>
        {state === 'off' && (
          <Button busy={isBusy} className="max-sm:w-full" onClick={() => setDialogOpen(true)}>
            Turn on
          </Button>
        )}
        {state === 'on' && (
          <Button
            busy={isBusy}
            className="max-sm:w-full"
            onClick={() => void run(() => removePushSubscription())}
            variant="secondary"
          >
            Turn off
          </Button>
        )}
      </div>
      {state === 'blocked' && <BlockedHelp />}
      {state === 'on' && (
        <>
          <DeviceCategories />
          <ContentSwitch />
        </>
      )}
      {dialogOpen && (
        <PermissionDialog onClose={() => setDialogOpen(false)} onContinue={() => void run(turnOn)} />
      )}
    </section>
  );
}

/** Calls `refresh` when the tab becomes visible again, since the permission may have changed in the browser. */
function useWhenVisible(refresh: () => unknown): void {
  useEffect(() => {
    const refreshIfVisible = () => document.visibilityState === 'visible' && refresh();
    document.addEventListener('visibilitychange', refreshIfVisible);
    return () => document.removeEventListener('visibilitychange', refreshIfVisible);
  }, [refresh]);
}

type PermissionDialogProps = { onClose: () => void; onContinue: () => void };

/** Explains notifications before the browser's own prompt, which can be shown only once. */
function PermissionDialog({ onClose, onContinue }: PermissionDialogProps) {
  return (
    <ConfirmDialog
      cancel="Not now"
      confirm="Continue"
      description="Next, your browser will ask for permission."
      onClose={onClose}
      onConfirm={onContinue}
      title="Turn on notifications?"
      variant="primary"
    >
      <ul className="flex flex-col gap-3">
        {categories.slice(0, 3).map(({ category, label, hint, icon: Icon }) => (
          <li className="flex items-center gap-3" key={category}>
            <Icon aria-hidden="true" className="size-5 shrink-0 text-ember" />
            <span>
              <span className="font-medium">{label}.</span> <span className="text-muted">{hint}</span>
            </span>
          </li>
        ))}
      </ul>
      <p className="mt-4 text-muted text-sm">
        Never to lure you back. You choose what, and when it stays quiet, and can turn it off here.
      </p>
    </ConfirmDialog>
  );
}

function BlockedHelp() {
  const { browser, steps } = blockedSteps(navigator.userAgent);
  return (
    <div className="mt-4 rounded-control bg-marigold-soft p-4 text-marigold-ink">
      <h3 className="flex flex-wrap items-center gap-2 font-semibold">
        <CircleHelp aria-hidden="true" className="size-5 shrink-0" />
        <span className="min-w-min">Notifications are blocked</span>
      </h3>
      <p className="mt-1 text-sm">Only your browser can allow them again. In {browser}:</p>
      <ol className="mt-2 list-decimal ps-5 text-sm">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </div>
  );
}
