import { ImagePlus, Trash2 } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { describeError } from '@/api/errors.ts';
import { UploadProgress } from '@/media/UploadProgress.tsx';
import { useMember } from '@/session/session.ts';
import { Button, Photo } from '@/ui';
import { uploadPicture } from './postPicture.ts';
import type { DraftPicture } from './storyDraft.ts';

type PictureFieldProps = {
  picture: DraftPicture | null;
  onChange: (picture: DraftPicture | null) => void;
  onUploading: (busy: boolean) => void;
};

/** The picture above a story, uploaded as soon as it is chosen. */
export function PictureField({ picture, onChange, onUploading }: PictureFieldProps) {
  const { id: memberId } = useMember();
  const [share, setShare] = useState<number | null>(null);
  const [failure, setFailure] = useState('');
  const noteId = useId();
  const input = useRef<HTMLInputElement>(null);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  async function upload(file: File | undefined) {
    if (!file) return;
    const controller = new AbortController();
    running.current = controller;
    setFailure('');
    setShare(0);
    onUploading(true);
    try {
      onChange(await uploadPicture(file, memberId, { onProgress: setShare, signal: controller.signal }));
    } catch (error) {
      if (controller.signal.aborted) return;
      setFailure(describeError(error, 'The picture could not be sent. Check your connection and try again.'));
    }
    setShare(null);
    onUploading(false);
  }

  return (
    <div className="flex flex-col gap-2">
      <p className="font-medium text-sm">Picture (optional)</p>
      {picture && !picture.preview && (
        <p className="rounded-card bg-plum-soft px-4 py-3 text-sm" role="status">
          The picture is added. This browser shows it once the story is posted.
        </p>
      )}
      {picture?.preview && (
        <div className="aspect-[2/1] overflow-hidden rounded-card">
          <Photo alt="The picture of your story" ratio="fill" src={picture.preview} />
        </div>
      )}
      {share !== null && <UploadProgress isWaiting={false} label="Uploading picture" share={share} />}
      <div className="flex flex-wrap gap-3">
        <Button
          aria-describedby={noteId}
          disabled={share !== null}
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
