import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';

type ConfirmDialogProps = {
  title: string;
  /** The consequence of the action. */
  description: string;
  /** The label of the button that confirms. */
  confirm: string;
  /** The label of the button that closes the dialog. */
  cancel: string;
  busy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
  /** An error of the last attempt, for example. */
  children?: ReactNode;
};

/** Confirms an action that cannot be undone. */
export function ConfirmDialog({ confirm, cancel, busy, onConfirm, onClose, ...dialog }: ConfirmDialogProps) {
  return (
    <Dialog
      {...dialog}
      actions={
        <>
          <Button onClick={onClose} variant="secondary">
            {cancel}
          </Button>
          <Button busy={busy} onClick={onConfirm} variant="danger">
            {confirm}
          </Button>
        </>
      }
      onClose={onClose}
      open
    />
  );
}
