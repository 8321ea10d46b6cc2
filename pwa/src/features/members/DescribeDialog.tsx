import { useState } from 'react';
import { ApiError } from '@/api/request.ts';
import { setMe } from '@/session/session.ts';
import { Button, Dialog, TextArea } from '@/ui';
import { describeMedia } from './requests.ts';

type DescribeDialogProps = {
  media: { id: string; caption: string };
  title: string;
  hint: string;
  onClose: () => void;
};

/** Edits the description of a picture or recording, for members who cannot see or hear it. */
export function DescribeDialog({ media, title, hint, onClose }: DescribeDialogProps) {
  const [caption, setCaption] = useState(media.caption);
  const [error, setError] = useState('');
  const [busy, setBusy] = useState(false);

  async function save() {
    setBusy(true);
    try {
      await setMe(await describeMedia(media.id, caption.trim()));
      onClose();
    } catch (failure) {
      setError(
        failure instanceof ApiError ? (failure.fieldErrors.caption ?? failure.detail) : 'Please try again.',
      );
      setBusy(false);
    }
  }

  return (
    <Dialog
      actions={
        <>
          <Button onClick={onClose} variant="secondary">
            Cancel
          </Button>
          <Button busy={busy} onClick={save}>
            Save
          </Button>
        </>
      }
      onClose={onClose}
      open
      title={title}
    >
      <TextArea
        count={caption.length}
        error={error}
        hint={hint}
        label="Description"
        maxLength={200}
        onChange={(event) => setCaption(event.target.value)}
        value={caption}
      />
    </Dialog>
  );
}
