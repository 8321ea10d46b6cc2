import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';

type ConfirmDialogProps = {
  title: string;
  /** The consequence of the action. */
  description?: string;
  /** The label of the button that confirms. */
  confirm: string;
  /** The label of the button that closes the dialog. */
  cancel: string;
  /** 'danger', the default, for what cannot be undone. */
  variant?: 'danger' | 'primary';
  busy?: boolean;
  /** Disables the button that confirms. */
  disabled?: boolean;
  onConfirm: () => void;
  onClose: () => void;
  /** A field or an error of the last attempt, for example. */
  children?: ReactNode;
};

/** Asks before an action, with a button that closes the dialog and one that confirms. */
export function ConfirmDialog({
  confirm,
  cancel,
  variant = 'danger',
  busy,
  disabled,
  onConfirm,
  onClose,
  ...dialog
}: ConfirmDialogProps) {
  return (
    <Dialog
      {...dialog}
      actions={
        <>
          <Button onClick={onClose} variant="secondary">
            {cancel}
          </Button>
          <Button busy={busy} disabled={disabled} onClick={onConfirm} variant={variant}>
            {confirm}
          </Button>
        </>
      }
      onClose={onClose}
      open
    />
  );
}
