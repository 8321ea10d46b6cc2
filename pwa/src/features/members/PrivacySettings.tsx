import { useState } from 'react';
import { ApiError } from '@/api/client.ts';
import type { MePatch } from '@/api/types.ts';
import { setMe, useMember } from '@/app/session.ts';
import { Switch, toast } from '@/ui';
import { saveProfile } from './requests.ts';

type Privacy = Pick<MePatch, 'paused' | 'incognito' | 'hideOnline' | 'hideReadReceipts'>;

/** Who may see the member at all, and what of their being here: each switch holds at once, everywhere. */
export function PrivacySettings() {
  const me = useMember();
  const [busy, setBusy] = useState(false);

  async function change(patch: Privacy) {
    setBusy(true);
    try {
      await setMe(await saveProfile(patch));
      toast({ title: 'Settings saved' });
    } catch (failure) {
      const description = failure instanceof ApiError ? failure.detail : 'Please try again.';
      toast({ title: 'Error', description, variant: 'destructive' });
    }
    setBusy(false);
  }

  return (
    <section className="card p-5">
      <h2 className="font-display font-semibold text-lg">Who sees you</h2>
      <div className="mt-2 divide-y divide-line">
        <Switch
          checked={me.paused}
          className="py-3"
          disabled={busy}
          hint="Nobody new sees you, and you cannot like anyone. Your matches and conversations stay as they are."
          label="Pause my profile"
          onChange={(paused) => change({ paused })}
        />
        <Switch
          checked={me.incognito}
          className="py-3"
          disabled={busy}
          hint="Only people you like can see you. You can look around as always."
          label="Incognito"
          onChange={(incognito) => change({ incognito })}
        />
        <Switch
          checked={me.hideOnline}
          className="py-3"
          disabled={busy}
          hint="Nobody sees when you are here or were last, and you do not see it of others."
          label="Hide when I am online"
          onChange={(hideOnline) => change({ hideOnline })}
        />
        <Switch
          checked={me.hideReadReceipts}
          className="py-3"
          disabled={busy}
          hint="Nobody sees what you have read, and you do not see it of others."
          label="Hide read receipts"
          onChange={(hideReadReceipts) => change({ hideReadReceipts })}
        />
      </div>
    </section>
  );
}
