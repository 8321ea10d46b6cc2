import { Video } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '@/ui';
import { CameraPreview } from './CameraPreview.tsx';
import { focusOnMount, ProblemNote, type RecorderProps, RecordingBar, Review } from './RecorderParts.tsx';
import { useRecorder } from './useRecorder.ts';
import { VideoPlayer } from './VideoPlayer.tsx';

/**
 * Records up to 30 s with the front camera: look, record, watch, then discard or send. All states have the same height.
 */
export default function VideoRecorder(props: RecorderProps) {
  const recorder = useRecorder('video', props);
  const { status, elapsedMs, stream, clip, problem, start, stop, wasStarted } = recorder;
  useCameraPreview(recorder, props.preview ?? true);
  if (clip) {
    return (
      <div className="mx-auto w-full max-w-sm">
        <Review {...props} recorder={recorder} clip={clip}>
          <VideoPlayer label="Your recording" recording={clip} />
        </Review>
      </div>
    );
  }
  return (
    <div className="mx-auto flex w-full max-w-sm flex-col gap-4">
      {problem && <ProblemNote kind="video" problem={problem} />}
      <div className="relative grid aspect-4/5 place-items-center overflow-hidden rounded-card bg-photo-shade text-on-photo">
        {stream ? (
          <CameraPreview stream={stream} />
        ) : (
          <Video aria-hidden="true" className="size-14 opacity-60" strokeWidth={1.25} />
        )}
        {status === 'recording' ? (
          <RecordingBar
            className="photo-fade absolute inset-x-0 bottom-0 px-4 pt-8 pb-3"
            elapsedMs={elapsedMs}
            kind="video"
            onStop={stop}
          />
        ) : (
          <p
            className="photo-fade absolute inset-x-0 bottom-0 px-4 pt-8 pb-3 text-center text-sm"
            role="status"
          >
            {status === 'asking' ? 'Waiting for the camera…' : 'Up to 30 seconds, with the front camera'}
          </p>
        )}
      </div>
      <div className="min-h-11">
        {status !== 'recording' && (
          <Button
            block
            disabled={status === 'asking'}
            onClick={start}
            ref={wasStarted ? focusOnMount : undefined}
          >
            <Video aria-hidden="true" className="size-5" />
            Start recording
          </Button>
        )}
      </div>
    </div>
  );
}

/** Shows the camera's picture before the recording, while the page is visible. */
function useCameraPreview(recorder: ReturnType<typeof useRecorder>, on: boolean): void {
  const { status, problem, preview, endPreview } = recorder;
  const visible = useVisible();
  const wanted = on && visible && status === 'idle' && !problem;
  useEffect(() => {
    if (!wanted) return;
    void preview();
    return endPreview;
  }, [wanted, preview, endPreview]);
}

function useVisible(): boolean {
  const [visible, setVisible] = useState(() => document.visibilityState === 'visible');
  useEffect(() => {
    const update = () => setVisible(document.visibilityState === 'visible');
    document.addEventListener('visibilitychange', update);
    return () => document.removeEventListener('visibilitychange', update);
  }, []);
  return visible;
}
