import { UploadProgress } from '@/media/UploadProgress.tsx';
import { type RunningUpload, useRunningUploads } from './storedUploads.ts';

/** Returns the upload to a path that was resumed after a reload; with a question, that of its answer. */
export function useResumedUpload(path: string, question?: string): RunningUpload | undefined {
  return [...useRunningUploads().values()].find(
    (upload) => upload.path === path && upload.question === question,
  );
}

/** The progress of an upload that was resumed after a reload. */
export function ResumedUpload({ upload, label }: { upload: RunningUpload; label: string }) {
  return (
    <div className="card flex flex-col gap-2 p-4">
      <p>{label}</p>
      <UploadProgress
        isWaiting={upload.isWaiting}
        label={label}
        onCancel={upload.cancel}
        share={upload.share}
      />
    </div>
  );
}
