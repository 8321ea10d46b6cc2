import { useEffect, useState } from 'react';
import { AudioPlayer, VideoPlayer } from '@/media/index.ts';
import type { Take } from '@/media/recording.ts';
import { takeOf } from '@/media/restore.ts';
import { useLive } from '@/offline/store/cached.ts';
import { forgetRecording } from '@/offline/store/chunks.ts';
import { getDb } from '@/offline/store/db.ts';
import { chunksOfRecording, type LeftRecording, leftRecordings, takeUp } from '@/offline/store/recordings.ts';
import { Button } from '@/ui';
import { notSent } from './notSent.ts';
import { type Recipient, sendTake } from './send.ts';

/** A recording that was neither sent nor discarded: the app was closed, or crashed. */
export function LeftRecordings({ to }: { to: Recipient }) {
  const left = useLive((db) => leftRecordings(db, to.id), [to.id]);
  const [newest] = left ?? [];
  if (!newest) return null;
  return <Left key={newest.recordingId} left={newest} to={to} />;
}

function Left({ left, to }: { left: LeftRecording; to: Recipient }) {
  const { recordingId, kind } = left;
  const [take, setTake] = useState<Take | null>(null);
  const [failure, setFailure] = useState('');
  const [busy, setBusy] = useState(false);
  useEffect(() => () => void (take && URL.revokeObjectURL(take.url)), [take]);

  const load = async () => takeOf(await chunksOfRecording(getDb(), recordingId));

  async function send() {
    setBusy(true);
    setFailure('');
    try {
      const free = await takeUp(getDb(), recordingId, async (chunks) => {
        const whole = take ?? takeOf(chunks);
        if (!whole) return;
        try {
          await sendTake(to, kind, whole).catch(notSent);
        } finally {
          // The one that was listened to is revoked with this component.
          if (whole !== take) URL.revokeObjectURL(whole.url);
        }
      });
      if (!free) setFailure('Another tab is busy with this recording. Please try again in a moment.');
    } catch (error) {
      setFailure((error as Error).message);
    }
    setBusy(false);
  }

  return (
    <section
      aria-label="Unsent recording"
      className="mx-auto mb-2 flex max-w-3xl flex-col gap-2 rounded-card border border-line bg-raised p-3"
    >
      <p className="font-semibold text-sm">You have an unsent recording</p>
      {take && kind === 'voice' && <AudioPlayer label="Unsent recording" recording={take} />}
      {take && kind === 'video' && <VideoPlayer className="w-44" label="Unsent recording" recording={take} />}
      {failure && (
        <p className="text-danger text-sm" role="alert">
          {failure}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {!take && (
          <Button onClick={async () => setTake(await load())} size="sm" variant="secondary">
            {kind === 'voice' ? 'Listen' : 'Watch'}
          </Button>
        )}
        <Button onClick={() => void forgetRecording(getDb(), recordingId)} size="sm" variant="secondary">
          Discard
        </Button>
        <Button busy={busy} onClick={() => void send()} size="sm">
          Send
        </Button>
      </div>
    </section>
  );
}
