import { ConfirmDialog } from '@/ui';

type SignOutDialogProps = {
  /** What is not sent, and that it is deleted. */
  warning: string;
  isBusy: boolean;
  onClose: () => void;
  onConfirm: () => void;
};

/** Asks before what is unsent is deleted with the device's data. */
export default function SignOutDialog({ warning, isBusy, onClose, onConfirm }: SignOutDialogProps) {
  return (
    <ConfirmDialog
      busy={isBusy}
      cancel="Stay"
      confirm="Sign out and discard"
      description={warning}
      onClose={onClose}
      onConfirm={onConfirm}
      title="Sign out now?"
    />
  );
}
