import { useState } from 'react';
import { describeError } from '@/api/errors.ts';
import type { PushCategory } from '@/api/types.ts';
import { saveCategories, storedCategories } from '@/offline/device/push.ts';
import { Chip, toast, toastError } from '@/ui';
import { allCategories, categories } from './categories.ts';

/** The categories shown on this device, of those that the member has turned on. */
export function DeviceCategories() {
  const [selected, setSelected] = useState(() => storedCategories() ?? allCategories);

  async function toggle(category: PushCategory) {
    const next = allCategories.filter((each) => selected.includes(each) !== (each === category));
    setSelected(next);
    try {
      await saveCategories(next.length === allCategories.length ? null : next);
      toast({ title: 'Settings saved', description: 'For this device.' });
    } catch (error) {
      setSelected(selected);
      toastError(describeError(error));
    }
  }

  return (
    <fieldset className="mt-4 border-line border-t pt-4">
      <legend className="sr-only">What this device tells you</legend>
      <p className="text-muted text-sm">Here, of what you chose below:</p>
      <div className="mt-2 flex flex-wrap gap-2">
        {categories
          .filter(({ isSent }) => isSent)
          .map(({ category, label }) => (
            <Chip key={category} onClick={() => void toggle(category)} selected={selected.includes(category)}>
              {label}
            </Chip>
          ))}
      </div>
    </fieldset>
  );
}
