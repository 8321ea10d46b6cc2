import { useState } from 'react';
import { describeError } from '@/api/errors.ts';
import { refreshMe } from '@/session/session.ts';
import { ConfirmDialog, toastError } from '@/ui';

type DeleteDialogProps = {
  /** The name of what is deleted, such as "photo" or "voice greeting". */
  item: string;
  /** Another consequence of the deletion. */
  warning?: string;
  onDelete: () => Promise<void>;
  onClose: () => void;
};

/** Confirms the deletion of a photo or recording. */
export function DeleteDialog({ item, warning, onDelete, onClose }: DeleteDialogProps) {
  const [busy, setBusy] = useState(false);

  async function remove() {
    setBusy(true);
    try {
      await onDelete();
      await refreshMe();
    } catch (failure) {
      toastError(describeError(failure));
    }
    onClose();
  }

  return (
    <ConfirmDialog
      busy={busy}
      cancel="Keep it"
      confirm={`Delete ${item}`}
      description="It is removed from your profile and from Heartward."
      onClose={onClose}
      onConfirm={remove}
      title={`Delete this ${item}?`}
    >
      {warning && <p className="mt-3 font-medium">{warning}</p>}
    </ConfirmDialog>
  );
}
