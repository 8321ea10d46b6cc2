import { Check, type LucideIcon, RotateCcw, Square } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, cn, FailureText } from '@/ui';
import { clock } from './clock.ts';
import type { Problem, Recorder, RecorderOptions } from './recorder.ts';
import { MAX_DURATION_MS, type RecordedClip, type RecordingKind } from './recording.ts';
import { UploadProgress } from './UploadProgress.tsx';
import { type Send, useSend } from './useSend.ts';

/** The labels of the last button: "Send" in a conversation, "Save" on a profile. */
type RecorderLabels = { send: string; sending: string; icon?: LucideIcon };

export type RecorderProps = {
  labels: RecorderLabels;
  /** Sends the recording and reports its progress. The message of an error is shown. */
  onSend: (clip: RecordedClip, ...send: Parameters<Send>) => Promise<void>;
  /** Opens the store of the recording's chunks, of a second each, so that a crash loses at most the last one. */
  openChunkStore?: RecorderOptions['openChunkStore'];
  lowQuality?: boolean;
  /** A shorter maximum than that of the kind. */
  maxDurationMs?: number;
  /** False if the camera stays off until the recording, because the member has not asked for it yet. */
  preview?: boolean;
  /** Starts to record at once, because a tap on a microphone or camera opened it. */
  startOnMount?: boolean;
  /** Called after sending or discarding; without it the recorder is ready for the next recording. */
  onDone?: () => void;
};

const denied: Record<RecordingKind, [title: string, text: string]> = {
  voice: ['Microphone Access Required', 'Please allow microphone access to record voice messages.'],
  video: ['Camera Access Required', 'Please allow camera and microphone access to record video messages.'],
};

const missing: Record<RecordingKind, [title: string, text: string]> = {
  voice: ['No microphone found', 'Connect a microphone, then try again.'],
  video: ['No camera found', 'Connect a camera and a microphone, then try again.'],
};

const unsupported: [title: string, text: string] = [
  'This browser cannot record',
  'Please use another browser, or a newer version of this one.',
];

const failed: [title: string, text: string] = [
  'The recording did not work',
  'Another app may be using the device. Please try again.',
];

export function ProblemNote({ kind, problem }: { kind: RecordingKind; problem: Problem }) {
  const [title, text] = { denied: denied[kind], missing: missing[kind], unsupported, failed }[problem];
  return (
    <div className="rounded-control bg-danger-soft px-4 py-3 text-ink" role="alert">
      <p className="font-semibold">{title}</p>
      <p className="text-sm">{text}</p>
    </div>
  );
}

/** Focuses a button that replaces the pressed one, for keyboard users. */
export function focusOnMount(button: HTMLButtonElement | null): void {
  button?.focus({ preventScroll: true });
}

/** The elapsed time and a stop button. */
export function RecordingBar({
  kind,
  elapsedMs,
  maxDurationMs = MAX_DURATION_MS[kind],
  onStop,
  className,
}: {
  kind: RecordingKind;
  elapsedMs: number;
  maxDurationMs?: number;
  onStop: () => void;
  className?: string;
}) {
  return (
    <div className={cn('flex items-center gap-3', className)}>
      <span aria-hidden="true" className="size-3 shrink-0 animate-skeleton rounded-full bg-ember" />
      <span className="min-w-24 tabular-nums">
        {clock(elapsedMs)} <span className="opacity-80">of {clock(maxDurationMs)}</span>
      </span>
      <span className="sr-only" role="status">
        Recording
      </span>
      <Button className="ms-auto" onClick={onStop} ref={focusOnMount}>
        <Square aria-hidden="true" className="size-4" fill="currentColor" strokeWidth={0} />
        Stop
      </Button>
    </div>
  );
}

type ReviewProps = Pick<RecorderProps, 'labels' | 'onSend' | 'onDone'> & {
  clip: RecordedClip;
  recorder: Pick<Recorder, 'discard' | 'leave'>;
  /** The player. */
  children: ReactNode;
};

/** Plays the recording, with buttons to discard and to send it. */
export function Review({ clip, recorder, labels, onSend, onDone, children }: ReviewProps) {
  const { progress, failure, send, cancel } = useSend();
  const Icon = labels.icon ?? Check;

  const handleSend = () =>
    send(async (...sending) => {
      await onSend(clip, ...sending);
      end(recorder.leave);
    });

  function end(finish: () => void) {
    finish();
    onDone?.();
  }

  return (
    <div className="flex flex-col gap-3">
      <div className="mb-1">{children}</div>
      {progress && <UploadProgress label={labels.sending} onCancel={cancel} {...progress} />}
      <FailureText>{failure}</FailureText>
      <div className="flex flex-wrap justify-end gap-3">
        <Button disabled={progress !== null} onClick={() => end(recorder.discard)} variant="secondary">
          <RotateCcw aria-hidden="true" className="size-4.5" />
          Discard
        </Button>
        <Button busy={progress !== null} onClick={handleSend} ref={focusOnMount}>
          {progress === null && <Icon aria-hidden="true" className="size-5" />}
          {progress === null ? labels.send : labels.sending}
        </Button>
      </div>
    </div>
  );
}
