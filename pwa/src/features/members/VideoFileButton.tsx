import { Upload } from 'lucide-react';
import { useState } from 'react';
import type { RecordedClip } from '@/media/index.ts';
import type { OnProgress } from './upload.ts';
import { readVideo } from './videoFile.ts';

type VideoFileButtonProps = {
  onFile: (clip: Omit<RecordedClip, 'url'>, onProgress: OnProgress) => Promise<void>;
};

/** A button that reads, measures and sends a video file of the device. */
export function VideoFileButton({ onFile }: VideoFileButtonProps) {
  const [share, setShare] = useState<number | null>(null);
  const [failure, setFailure] = useState('');

  async function send(file: File | undefined) {
    if (!file) return;
    setFailure('');
    setShare(0);
    try {
      await onFile(await readVideo(file), setShare);
    } catch (error) {
      setFailure(error instanceof Error ? error.message : 'Please try again.');
    }
    setShare(null);
  }

  return (
    <div className="min-w-0">
      <label className="inline-flex min-h-11 items-center gap-2 rounded-control border border-control bg-surface px-5 py-2 font-semibold transition-colors focus-within:outline-2 focus-within:outline-focus focus-within:outline-offset-2 hover:bg-raised">
        <Upload aria-hidden="true" className="size-5" strokeWidth={1.75} />
        Choose a video
        <input
          accept="video/*"
          className="sr-only"
          disabled={share !== null}
          onChange={(event) => {
            void send(event.target.files?.[0]);
            event.target.value = '';
          }}
          type="file"
        />
      </label>
      {share !== null && (
        <progress
          aria-label="Uploading video"
          className="mt-2 block h-2 w-full accent-ember"
          max={1}
          value={share}
        />
      )}
      {failure && (
        <p className="mt-2 text-danger text-sm" role="alert">
          {failure}
        </p>
      )}
    </div>
  );
}
