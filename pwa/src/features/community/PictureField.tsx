import { ImagePlus, Trash2 } from 'lucide-react';
import { useEffect, useEffectEvent, useId, useRef } from 'react';
import { describeError } from '@/api/errors.ts';
import { useSession } from '@/base/pageSession.ts';
import { UploadProgress } from '@/media/UploadProgress.tsx';
import { useSend } from '@/media/useSend.ts';
import { Button, Photo } from '@/ui';
import { uploadPicture } from './postPicture.ts';
import type { DraftPicture } from './storyDraft.ts';

type PictureFieldProps = {
  picture: DraftPicture | null;
  onChange: (picture: DraftPicture | null) => void;
  onUploading: (busy: boolean) => void;
};

const describeUploadFailure = (failure: unknown) =>
  describeError(failure, 'The picture could not be sent. Check your connection and try again.');

/** The picture above a story, uploaded as soon as it is chosen. */
export function PictureField({ picture, onChange, onUploading }: PictureFieldProps) {
  const session = useSession();
  const { progress, failure, send, cancel } = useSend(describeUploadFailure);
  const noteId = useId();
  const input = useRef<HTMLInputElement>(null);
  const cancelUpload = useEffectEvent(cancel);
  useEffect(() => () => cancelUpload(), []);

  async function upload(file: File | undefined) {
    if (!file) return;
    onUploading(true);
    await send(async (onProgress, signal) =>
      onChange(await uploadPicture(file, session, { onProgress, signal })),
    );
    onUploading(false);
  }

  return (
    <div className="flex flex-col gap-2">
      <p className="font-medium text-sm">Picture (optional)</p>
      {picture && <Preview picture={picture} />}
      {progress && <UploadProgress label="Uploading picture" {...progress} />}
      <div className="flex flex-wrap gap-3">
        <Button
          aria-describedby={noteId}
          disabled={progress !== null}
          onClick={() => input.current?.click()}
          size="sm"
          variant="secondary"
        >
          <ImagePlus aria-hidden="true" className="size-5" />
          {picture ? 'Choose another' : 'Add a picture'}
        </Button>
        {picture && (
          <Button onClick={() => onChange(null)} size="sm" variant="ghost">
            <Trash2 aria-hidden="true" className="size-5" />
            Leave it out
          </Button>
        )}
      </div>
      <input
        accept="image/*"
        className="hidden"
        onChange={({ target }) => {
          void upload(target.files?.[0]);
          target.value = '';
        }}
        ref={input}
        type="file"
      />
      <p
        className={failure ? 'text-danger text-sm' : 'text-muted text-sm'}
        id={noteId}
        role={failure ? 'alert' : undefined}
      >
        {failure || 'Up to 10 MB. Everyone who reads the story sees it.'}
      </p>
    </div>
  );
}

function Preview({ picture: { preview } }: { picture: DraftPicture }) {
  if (!preview)
    return (
      <p className="rounded-card bg-plum-soft px-4 py-3 text-sm" role="status">
        The picture is added. This browser shows it once the story is posted.
      </p>
    );
  return (
    <div className="aspect-[2/1] overflow-hidden rounded-card">
      <Photo alt="The picture of your story" ratio="fill" src={preview} />
    </div>
  );
}
