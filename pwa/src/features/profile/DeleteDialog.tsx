import { refreshMe } from '@/session/session.ts';
import { ConfirmDialog, useAction } from '@/ui';

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
  const [remove, { isBusy }] = useAction(() => onDelete().then(refreshMe).finally(onClose));

  return (
    <ConfirmDialog
      busy={isBusy}
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
