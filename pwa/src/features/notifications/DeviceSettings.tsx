import { useState } from 'react';
import type { PushCategory } from '@/api/types.ts';
import { keepsNothing } from '@/base/storage.ts';
import { savePushSettings, storedCategories, storedShowsContent } from '@/offline/device/push.ts';
import { Chip, Switch, showFailure, toast, useAction } from '@/ui';
import { allCategories, categories } from './pushCategories.ts';

const SAVED = { title: 'Settings saved', description: 'For this device.' };

/** The categories shown on this device, of those that the member has turned on. */
export function DeviceCategories() {
  const [selected, setSelected] = useState(() => storedCategories() ?? allCategories);

  function toggle(category: PushCategory) {
    const next = allCategories.filter((each) => selected.includes(each) !== (each === category));
    setSelected(next);
    savePushSettings({ categories: next.length === allCategories.length ? null : next }).then(
      () => toast(SAVED),
      (failure) => {
        setSelected(selected);
        showFailure(failure);
      },
    );
  }

  return (
    <fieldset className="mt-4 border-line border-t pt-4">
      <legend className="sr-only">Notifications on this device</legend>
      <p aria-hidden className="text-muted text-sm">
        Notifications on this device
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        {categories
          .filter(({ category }) => category !== 'digest')
          .map(({ category, label }) => (
            <Chip key={category} onClick={() => toggle(category)} selected={selected.includes(category)}>
              {label}
            </Chip>
          ))}
      </div>
    </fieldset>
  );
}

/** Whether notifications on this device say who wrote and what, also while it is locked. */
export function ContentSwitch() {
  const [shown, setShown] = useState(storedShowsContent);

  const [change, { isBusy }] = useAction(async (showsContent: boolean) => {
    await savePushSettings({ showsContent });
    setShown(showsContent);
    toast(SAVED);
  });

  return (
    <Switch
      checked={shown}
      className="mt-4 border-line border-t pt-4"
      disabled={isBusy || keepsNothing()}
      hint={
        keepsNothing()
          ? 'This device keeps nothing, so its notifications name nobody.'
          : 'When off, notifications leave out names and words. For a screen that others can see.'
      }
      label="Show what it says"
      onChange={(on) => void change(on)}
    />
  );
}
