import { Upload } from 'lucide-react';
import type { RecordedClip } from '@/media/index.ts';
import { UploadProgress } from '@/media/UploadProgress.tsx';
import { type Send, useSend } from '@/media/useSend.ts';
import { FailureText } from '@/ui';
import { readVideo } from './videoFile.ts';

type VideoFileButtonProps = {
  onFile: (clip: Omit<RecordedClip, 'url'>, ...sending: Parameters<Send>) => Promise<void>;
};

/** A button that reads, measures and sends a video file of the device. */
export function VideoFileButton({ onFile }: VideoFileButtonProps) {
  const { progress, failure, send, cancel } = useSend();
  const handleFile = (file: File) => send(async (...sending) => onFile(await readVideo(file), ...sending));

  return (
    <div className="min-w-0">
      <label className="inline-flex min-h-11 items-center gap-2 rounded-control border border-control bg-surface px-5 py-2 font-semibold transition-colors focus-within:outline-2 focus-within:outline-focus focus-within:outline-offset-2 hover:bg-raised">
        <Upload aria-hidden="true" className="size-5" />
        Choose a video
        <input
          accept="video/*"
          className="sr-only"
          disabled={progress !== null}
          onChange={(event) => {
            const file = event.target.files?.[0];
            if (file) void handleFile(file);
            event.target.value = '';
          }}
          type="file"
        />
      </label>
      {progress && (
        <UploadProgress className="mt-2" label="Uploading video" onCancel={cancel} {...progress} />
      )}
      <FailureText className="mt-2">{failure}</FailureText>
    </div>
  );
}
