import { useState } from 'react';
import { describeError, fieldErrors } from '@/api/errors.ts';
import { MAX_CHANGE_MEDIA_CAPTION } from '@/api/limits.gen.ts';
import { setMe } from '@/session/session.ts';
import { ConfirmDialog, TextArea, useAction } from '@/ui';
import { describeMedia } from './profileRequests.ts';

type DescribeDialogProps = {
  media: { id: string; caption: string };
  title: string;
  hint: string;
  onClose: () => void;
};

/** Edits the description of a picture or recording, for members who cannot see or hear it. */
export function DescribeDialog({ media, title, hint, onClose }: DescribeDialogProps) {
  const [caption, setCaption] = useState(media.caption);
  async function saveCaption() {
    await setMe(await describeMedia(media.id, caption.trim()));
    onClose();
  }
  const [save, { isBusy, error }] = useAction(saveCaption, {
    inline: true,
    errorText: (failure) => fieldErrors(failure).caption ?? describeError(failure),
  });
  return (
    <ConfirmDialog
      busy={isBusy}
      cancel="Cancel"
      confirm="Save"
      onClose={onClose}
      onConfirm={save}
      title={title}
      variant="primary"
    >
      <TextArea
        count={caption.length}
        error={error}
        hint={hint}
        label="Description"
        maxLength={MAX_CHANGE_MEDIA_CAPTION}
        onChange={(event) => setCaption(event.target.value)}
        value={caption}
      />
    </ConfirmDialog>
  );
}
