import { MessageSquareText, Mic, Trash2, Video } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { Recording } from '@/api/types.ts';
import { AudioPlayer, type RecordedClip, VideoPlayer } from '@/media/index.ts';
import type { Send } from '@/media/useSend.ts';
import { useDb } from '@/offline/store/cached.ts';
import { refreshMe } from '@/session/session.ts';
import { Button, lazyWithRetry, Skeleton, toast } from '@/ui';
import { recordingPaths, uploadGreeting } from './profileUpload.ts';
import { ResumedUpload, useResumedUpload } from './ResumedUpload.tsx';
import { SAVE_LABELS } from './saveLabels.ts';
import { useMediaDialogs } from './useMediaDialogs.tsx';

const VoiceRecorder = lazyWithRetry(() => import('@/media/VoiceRecorder.tsx'));
const VideoRecorder = lazyWithRetry(() => import('@/media/VideoRecorder.tsx'));

type GreetingEditorProps = {
  kind: 'voice' | 'video';
  recording: Recording | null;
};

/** Records, plays, describes and deletes a voice or video greeting. */
export function GreetingEditor({ kind, recording }: GreetingEditorProps) {
  const db = useDb();
  const [isRecording, setRecording] = useState(false);
  const resumed = useResumedUpload(recordingPaths[kind]);

  async function save(clip: RecordedClip, ...sending: Parameters<Send>) {
    await uploadGreeting(kind, db, clip, ...sending);
    await refreshMe();
    setRecording(false);
    toast({ title: 'Greeting saved' });
  }

  if (resumed) return <ResumedUpload label="Saving your greeting" upload={resumed} />;
  const Recorder = kind === 'voice' ? VoiceRecorder : VideoRecorder;
  if (recording && !isRecording)
    return <Greeting kind={kind} onAgain={() => setRecording(true)} recording={recording} />;
  return (
    <div className="flex flex-col gap-4">
      <Suspense fallback={<Skeleton className="h-40" />}>
        <Recorder labels={SAVE_LABELS} onSend={save} />
      </Suspense>
      {recording && (
        <Button className="self-center" onClick={() => setRecording(false)} variant="ghost">
          Keep the one I have
        </Button>
      )}
    </div>
  );
}

type GreetingProps = { kind: 'voice' | 'video'; recording: Recording; onAgain: () => void };

function Greeting({ kind, recording, onAgain }: GreetingProps) {
  const { openDescribe, openDelete, dialog } = useMediaDialogs({
    media: recording,
    item: `${kind} greeting`,
    title: 'The words of your greeting',
    hint: 'What you say, in writing, for those who cannot hear it.',
  });
  const RecordIcon = kind === 'voice' ? Mic : Video;
  return (
    <div className="flex flex-col gap-5">
      {kind === 'voice' ? (
        <AudioPlayer className="card p-4" label="Your voice greeting" recording={recording} />
      ) : (
        <VideoPlayer className="mx-auto w-full max-w-sm" label="Your video greeting" recording={recording} />
      )}
      <div className="flex flex-wrap gap-3">
        <Button onClick={onAgain} variant="secondary">
          <RecordIcon aria-hidden="true" className="size-5" />
          Record again
        </Button>
        <Button onClick={openDescribe} variant="secondary">
          <MessageSquareText aria-hidden="true" className="size-5" />
          {recording.caption ? 'Change its words' : 'Add its words'}
        </Button>
        <Button onClick={openDelete} variant="secondary">
          <Trash2 aria-hidden="true" className="size-5" />
          Delete
        </Button>
      </div>
      {dialog}
    </div>
  );
}
