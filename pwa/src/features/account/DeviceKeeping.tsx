import { useState } from 'react';
import { describeError } from '@/api/errors.ts';
import { keepsNothing } from '@/base/storage.ts';
import { setKeepsNothing } from '@/offline/device/keeping.ts';
import { savePushSettings } from '@/offline/device/push.ts';
import { findUnsent } from '@/offline/outbox/unsent.ts';
import { listUnsent } from '@/offline/outbox/unsentWords.ts';
import { useDb } from '@/offline/store/cached.ts';
import { ConfirmDialog, Switch, useAction } from '@/ui';

/** Whether this device keeps messages. A change deletes what it has stored, and starts the app again. */
export function DeviceKeeping() {
  const db = useDb();
  const on = keepsNothing();
  const [unsent, setUnsent] = useState<string>();

  async function setKeeping() {
    // Safari shows a push by itself, as the server has sent it.
    if (!on) await savePushSettings({ showsContent: false });
    await setKeepsNothing(!on);
    location.reload();
  }
  const [change, { isBusy: isChanging }] = useAction(setKeeping, {
    errorText: (failure) => describeError(failure, 'Please check your connection and try again.'),
    staysBusy: true,
  });

  const [changeOrAsk, { isBusy: isChecking }] = useAction(async () => {
    const named = await findUnsent(db).then(listUnsent, () => null);
    if (named) setUnsent(`${named.words} ${named.one ? 'has' : 'have'} not been sent yet.`);
    else await change();
  });

  return (
    <section className="card p-5">
      <h2 className="font-display font-semibold text-lg">This device</h2>
      <Switch
        checked={on}
        className="mt-2 py-3"
        disabled={isChecking || isChanging}
        hint="For a device that isn't yours. Messages, drafts and people are gone from it when you close Heartward, notifications name nobody, and nothing can be read offline. It ends when you sign out."
        label="Keep no messages on this device"
        onChange={changeOrAsk}
      />
      {unsent && (
        <ConfirmDialog
          busy={isChanging}
          cancel="Wait"
          confirm={on ? 'Discard and turn off' : 'Discard and turn on'}
          description={`${unsent} Heartward starts again, and would lose it.`}
          onClose={() => setUnsent(undefined)}
          onConfirm={change}
          title={on ? 'Keep messages again now?' : 'Keep no messages now?'}
        />
      )}
    </section>
  );
}
