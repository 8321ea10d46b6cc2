import { MessageSquareText, Mic, Trash2, Video } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { Recording } from '@/api/types.ts';
import { AudioPlayer, type RecordedClip, VideoPlayer } from '@/media/index.ts';
import { refreshMe } from '@/session/session.ts';
import { Button, Skeleton, toast } from '@/ui';
import { DeleteDialog } from './DeleteDialog.tsx';
import { DescribeDialog } from './DescribeDialog.tsx';
import { deleteMedia } from './requests.ts';
import { type OnProgress, uploadGreeting } from './upload.ts';

const VoiceRecorder = lazy(() => import('@/media/VoiceRecorder.tsx'));
const VideoRecorder = lazy(() => import('@/media/VideoRecorder.tsx'));

type GreetingEditorProps = { kind: 'voice' | 'video'; recording: Recording | null };

const words = { send: 'Save', sending: 'Saving…' };

/** A greeting in the member's own voice or on video: recorded, heard, recorded again, described, deleted. */
export function GreetingEditor({ kind, recording }: GreetingEditorProps) {
  const [again, setAgain] = useState(false);

  async function save(take: RecordedClip, onProgress: OnProgress) {
    await uploadGreeting(kind, take, onProgress);
    await refreshMe();
    setAgain(false);
    toast({ title: 'Greeting saved' });
  }

  const Recorder = kind === 'voice' ? VoiceRecorder : VideoRecorder;
  if (recording && !again)
    return <Greeting kind={kind} onAgain={() => setAgain(true)} recording={recording} />;
  return (
    <div className="flex flex-col gap-4">
      <Suspense fallback={<Skeleton className="h-40" />}>
        <Recorder labels={words} onSend={save} />
      </Suspense>
      {recording && (
        <Button className="self-center" onClick={() => setAgain(false)} variant="ghost">
          Keep the one I have
        </Button>
      )}
    </div>
  );
}

type GreetingProps = { kind: 'voice' | 'video'; recording: Recording; onAgain: () => void };

function Greeting({ kind, recording, onAgain }: GreetingProps) {
  const [asking, setAsking] = useState<'describe' | 'delete' | null>(null);
  const close = () => setAsking(null);
  const Again = kind === 'voice' ? Mic : Video;
  return (
    <div className="flex flex-col gap-5">
      {kind === 'voice' ? (
        <AudioPlayer className="card p-4" label="Your voice greeting" recording={recording} />
      ) : (
        <VideoPlayer className="mx-auto w-full max-w-sm" label="Your video greeting" recording={recording} />
      )}
      <div className="flex flex-wrap gap-3">
        <Button onClick={onAgain} variant="secondary">
          <Again aria-hidden="true" className="size-5" strokeWidth={1.75} />
          Record again
        </Button>
        <Button onClick={() => setAsking('describe')} variant="secondary">
          <MessageSquareText aria-hidden="true" className="size-5" strokeWidth={1.75} />
          {recording.caption ? 'Change its words' : 'Add its words'}
        </Button>
        <Button onClick={() => setAsking('delete')} variant="secondary">
          <Trash2 aria-hidden="true" className="size-5" strokeWidth={1.75} />
          Delete
        </Button>
      </div>
      {asking === 'describe' && (
        <DescribeDialog
          hint="What you say, in writing, for those who cannot hear it."
          media={recording}
          onClose={close}
          title="The words of your greeting"
        />
      )}
      {asking === 'delete' && (
        <DeleteDialog onClose={close} onDelete={() => deleteMedia(recording.id)} what={`${kind} greeting`} />
      )}
    </div>
  );
}
