import type { Unsent } from '@/offline/outbox/unsent.ts';
import { listUnsent } from '@/offline/outbox/unsentWords.ts';
import { ConfirmDialog } from '@/ui';

/** Returns "1 recording and 2 messages have not been sent yet." */
function describeUnsent(unsent: Unsent | null): string {
  const named = unsent && listUnsent(unsent);
  if (!named) return 'We cannot see whether everything you wrote has been sent.';
  return `${named.words} ${named.one ? 'has' : 'have'} not been sent yet.`;
}

type SignOutDialogProps = {
  /** The items that are not sent; null if the database did not respond. */
  unsent: Unsent | null;
  isBusy: boolean;
  onClose: () => void;
  onConfirm: () => void;
};

/** Asks before what is unsent is deleted with the device's data. */
export default function SignOutDialog({ unsent, isBusy, onClose, onConfirm }: SignOutDialogProps) {
  return (
    <ConfirmDialog
      busy={isBusy}
      cancel="Stay"
      confirm="Sign out and discard"
      description={`${describeUnsent(unsent)} Signing out removes everything from this device.`}
      onClose={onClose}
      onConfirm={onConfirm}
      title="Sign out now?"
    />
  );
}
