import { useState } from 'react';
import { DeleteDialog } from './DeleteDialog.tsx';
import { DescribeDialog } from './DescribeDialog.tsx';
import { deleteMedia } from './profileRequests.ts';

type Options = {
  media: { id: string; caption: string };
  /** The name of what is deleted, such as "photo" or "voice greeting". */
  item: string;
  /** The title and the hint of the dialog that describes it. */
  title: string;
  hint: string;
  /** Another consequence of the deletion. */
  warning?: string | undefined;
  /** Deletes it; by default as a picture or recording that is no profile photo. */
  onDelete?: () => Promise<void>;
};

/** Returns functions that open the dialogs to describe and to delete a picture or recording, and the open dialog. */
export function useMediaDialogs({ media, item, title, hint, warning, onDelete }: Options) {
  const [open, setOpen] = useState<'describe' | 'delete' | null>(null);
  const close = () => setOpen(null);
  return {
    openDescribe: () => setOpen('describe'),
    openDelete: () => setOpen('delete'),
    dialog: (
      <>
        {open === 'describe' && <DescribeDialog hint={hint} media={media} onClose={close} title={title} />}
        {open === 'delete' && (
          <DeleteDialog
            item={item}
            onClose={close}
            onDelete={onDelete ?? (() => deleteMedia(media.id))}
            warning={warning}
          />
        )}
      </>
    ),
  };
}
