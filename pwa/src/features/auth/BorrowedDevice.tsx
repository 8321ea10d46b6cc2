import { keepsNothing } from '@/base/storage.ts';
import { setKeepsNothingBeforeSignIn } from '@/offline/device/keeping.ts';
import { lockedMember } from '@/offline/device/wipe.ts';
import { Checkbox, useAction } from '@/ui';

/**
 * Whether the device is to keep nothing of the member who signs in. Not offered on a locked device: it has data of its
 * member, which would be lost.
 */
export function BorrowedDevice() {
  const [change, { running }] = useAction(setKeepsNothingBeforeSignIn, {
    errorText: () => 'Please check your connection and try again.',
  });

  if (lockedMember()) return null;
  return (
    <Checkbox
      checked={running?.[0] ?? keepsNothing()}
      hint="Nothing of yours stays on it once you close Heartward, and its notifications show no names."
      label="This isn't my device"
      onChange={(event) => void change(event.target.checked)}
    />
  );
}
