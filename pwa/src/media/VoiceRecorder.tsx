import { Mic } from 'lucide-react';
import { cn } from '@/ui';
import { AudioPlayer } from './AudioPlayer.tsx';
import { focusOnMount, ProblemNote, type RecorderProps, RecordingBar, Review } from './RecorderParts.tsx';
import { useRecorder } from './useRecorder.ts';
import { Waveform } from './Waveform.tsx';

/** Records a voice, for up to a minute by default: record, listen, then discard or send. */
export default function VoiceRecorder(props: RecorderProps) {
  const recorder = useRecorder('voice', props);
  const { status, elapsedMs, levels, clip, problem, start, stop, wasStarted } = recorder;
  if (clip) {
    return (
      <Review {...props} recorder={recorder} clip={clip}>
        <AudioPlayer label="Your recording" recording={clip} />
      </Review>
    );
  }
  if (status === 'recording') {
    return (
      <div className="flex flex-col gap-4">
        <Waveform className="h-16" levels={levels} />
        <RecordingBar elapsedMs={elapsedMs} kind="voice" maxDurationMs={props.maxDurationMs} onStop={stop} />
      </div>
    );
  }
  return (
    <div className="flex flex-col items-center gap-4 py-6">
      {problem && <ProblemNote kind="voice" problem={problem} />}
      <button
        aria-busy={status === 'asking' || undefined}
        className={cn(
          'grid size-20 place-items-center rounded-full bg-ember text-on-ember shadow-float transition-colors hover:bg-ember-strong',
          status === 'asking' && 'opacity-60',
        )}
        disabled={status === 'asking'}
        onClick={start}
        ref={wasStarted ? focusOnMount : undefined}
        type="button"
      >
        <Mic aria-hidden="true" className="size-8" />
        <span className="sr-only">Record your voice</span>
      </button>
      <p className="text-center text-muted text-sm" role="status">
        {status === 'asking' ? 'Waiting for the microphone…' : limitText(props.maxDurationMs)}
      </p>
    </div>
  );
}

const limitText = (maxDurationMs: number | undefined) =>
  maxDurationMs ? `Up to ${maxDurationMs / 1000} seconds` : 'Up to one minute';
