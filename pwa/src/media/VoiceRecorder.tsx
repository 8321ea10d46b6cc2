import { Mic } from 'lucide-react';
import { cn } from '@/ui';
import { AudioPlayer } from './AudioPlayer.tsx';
import { type RecorderProps, RecordingBar, Review, TroubleNote, takeFocus } from './RecorderParts.tsx';
import { useRecorder } from './useRecorder.ts';
import { Waveform } from './Waveform.tsx';

/** Records up to a minute of voice: record, listen, discard or hand it up. */
export default function VoiceRecorder(props: RecorderProps) {
  const recorder = useRecorder('voice', props);
  const { status, elapsedMs, levels, take, trouble, start, stop, used } = recorder;
  if (take) {
    return (
      <Review {...props} recorder={recorder} take={take}>
        <AudioPlayer label="Your recording" recording={take} />
      </Review>
    );
  }
  if (status === 'recording') {
    return (
      <div className="flex flex-col gap-4">
        <Waveform className="h-16" levels={levels} />
        <RecordingBar elapsedMs={elapsedMs} kind="voice" onStop={stop} />
      </div>
    );
  }
  return (
    <div className="flex flex-col items-center gap-4 py-6">
      {trouble && <TroubleNote kind="voice" trouble={trouble} />}
      <button
        aria-busy={status === 'asking' || undefined}
        className={cn(
          'grid size-20 place-items-center rounded-full bg-ember text-on-ember shadow-float transition-colors hover:bg-ember-strong',
          status === 'asking' && 'opacity-60',
        )}
        disabled={status === 'asking'}
        onClick={start}
        ref={used ? takeFocus : undefined}
        type="button"
      >
        <Mic aria-hidden="true" className="size-8" strokeWidth={1.75} />
        <span className="sr-only">Record your voice</span>
      </button>
      <p className="text-center text-muted text-sm" role="status">
        {status === 'asking' ? 'Waiting for the microphone…' : 'Up to one minute'}
      </p>
    </div>
  );
}
