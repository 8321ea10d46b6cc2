import { UploadProgress } from '@/media/UploadProgress.tsx';
import { isAwaited } from '@/offline/outbox/awaited.ts';
import { dropProfileFile, uploadStateOf } from '@/offline/outbox/profileFile.ts';
import { progressesOf } from '@/offline/outbox/progress.ts';
import { useDb, useLive } from '@/offline/store/cached.ts';
import type { OutboxRow } from '@/offline/store/rows.ts';
import { showFailure } from '@/ui';
import { readFileRows } from './useUploads.ts';

/** Returns the unsent file of a path that no screen of this tab waits for; with a question, that of its answer. */
export function useResumedUpload(path: string, question?: string): OutboxRow | undefined {
  return useLive(
    async (db) =>
      (await readFileRows(db)).find(
        ({ clientId, state, body }) =>
          state !== 'failed' && body.path === path && body.question === question && !isAwaited(db, clientId),
      ),
    [path, question],
  );
}

/** The progress of an upload that an earlier page, or another tab, has begun. */
export function ResumedUpload({ upload, label }: { upload: OutboxRow; label: string }) {
  const db = useDb();
  const { useValue: useProgress } = progressesOf(db);
  const share = useProgress(() => uploadStateOf(db, upload).share);
  const isWaiting = useProgress(() => uploadStateOf(db, upload).isWaiting);
  return (
    <div className="card flex flex-col gap-2 p-4">
      <p>{label}</p>
      <UploadProgress
        isWaiting={isWaiting}
        label={label}
        onCancel={() => void dropProfileFile(db, upload.clientId).catch(showFailure)}
        share={share}
      />
    </div>
  );
}
