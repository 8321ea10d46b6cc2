import { useEffect, useState } from 'react';
import { MemberError } from '@/api/errors.ts';
import { AudioPlayer, VideoPlayer } from '@/media/index.ts';
import type { RecordedClip } from '@/media/recording.ts';
import { restoreClip } from '@/media/restoreClip.ts';
import { useDb, useLive } from '@/offline/store/cached.ts';
import { deleteRecording } from '@/offline/store/chunks.ts';
import {
  chunksOfRecording,
  listUnsentRecordings,
  type StoredRecording,
  withRecordingLock,
} from '@/offline/store/recordings.ts';
import { Button, FailureText, useAction } from '@/ui';
import { type Recipient, sendClip } from './send.ts';
import { rethrowForMember } from './sendErrors.ts';

/** Offers a recording that was neither sent nor discarded, because the app was closed or crashed. */
export function UnsentRecordings({ to }: { to: Recipient }) {
  const recording = useLive((db) => listUnsentRecordings(db, to.id), [to.id]);
  const [newest] = recording ?? [];
  if (!newest) return null;
  return <UnsentRecording key={newest.recordingId} recording={newest} to={to} />;
}

function UnsentRecording({ recording, to }: { recording: StoredRecording; to: Recipient }) {
  const db = useDb();
  const { recordingId, kind } = recording;
  const [clip, setClip] = useState<RecordedClip | null>(null);
  useEffect(() => () => void (clip && URL.revokeObjectURL(clip.url)), [clip]);

  const load = async () => restoreClip(await chunksOfRecording(db, recordingId));

  async function sendRecording() {
    const locked = await withRecordingLock(db, recordingId, async (chunks) => {
      const sentClip = clip ?? restoreClip(chunks);
      if (!sentClip) return;
      try {
        await sendClip(db, to, kind, sentClip).catch(rethrowForMember);
      } finally {
        // The URL of the played clip is revoked with this component.
        if (sentClip !== clip) URL.revokeObjectURL(sentClip.url);
      }
    });
    if (!locked)
      throw new MemberError('Another tab is busy with this recording. Please try again in a moment.');
  }
  const [send, { isBusy, error }] = useAction(sendRecording, { inline: true });

  return (
    <section
      aria-label="Unsent recording"
      className="mx-auto mb-2 flex max-w-3xl flex-col gap-2 rounded-card border border-line bg-raised p-3"
    >
      <p className="font-semibold text-sm">You have an unsent recording</p>
      {clip && kind === 'voice' && <AudioPlayer label="Unsent recording" recording={clip} />}
      {clip && kind === 'video' && <VideoPlayer className="w-44" label="Unsent recording" recording={clip} />}
      <FailureText>{error}</FailureText>
      <div className="flex flex-wrap gap-2">
        {!clip && (
          <Button onClick={async () => setClip(await load())} size="sm" variant="secondary">
            {kind === 'voice' ? 'Listen' : 'Watch'}
          </Button>
        )}
        <Button onClick={() => void deleteRecording(db, recordingId)} size="sm" variant="secondary">
          Discard
        </Button>
        <Button busy={isBusy} onClick={() => void send()} size="sm">
          Send
        </Button>
      </div>
    </section>
  );
}
