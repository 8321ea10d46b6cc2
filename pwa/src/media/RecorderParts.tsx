import { Check, type LucideIcon, RotateCcw, Square } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button, cn } from '@/ui';
import { clock } from './clock.ts';
import type { Recorder, RecorderOptions, Trouble } from './recorder.ts';
import { longestMs, type RecordingKind, type Take } from './recording.ts';

/** What the last button says: "Send" in a conversation, "Save" on a profile. */
type RecorderWords = { send: string; sending: string; icon?: LucideIcon };

export type RecorderProps = {
  words: RecorderWords;
  /** Hands the recording up; while it is on its way the share of 1 may be told. A failure is shown here. */
  onSend: (take: Take, onProgress: (share: number) => void) => Promise<void>;
  /** Keeps each second, so that a crash loses no more than the last. */
  keep?: RecorderOptions['keep'];
  lowQuality?: boolean;
  /** It was a tap on a microphone or camera that led here: it records at once. */
  atOnce?: boolean;
  /** Sent or discarded; without it the recorder is ready for the next one. */
  onDone?: () => void;
};

const refused: Record<RecordingKind, [title: string, text: string]> = {
  voice: ['Microphone Access Required', 'Please allow microphone access to record voice messages.'],
  video: ['Camera Access Required', 'Please allow camera and microphone access to record video messages.'],
};

const missing: Record<RecordingKind, [title: string, text: string]> = {
  voice: ['No microphone found', 'Connect a microphone, then try again.'],
  video: ['No camera found', 'Connect a camera and a microphone, then try again.'],
};

const failed: [title: string, text: string] = [
  'The recording did not work',
  'Another app may be using the device. Please try again.',
];

export function TroubleNote({ kind, trouble }: { kind: RecordingKind; trouble: Trouble }) {
  const [title, text] = { refused: refused[kind], missing: missing[kind], failed }[trouble];
  return (
    <div className="rounded-control bg-danger-soft px-4 py-3 text-ink" role="alert">
      <p className="font-semibold">{title}</p>
      <p className="text-sm">{text}</p>
    </div>
  );
}

/** The button that was pressed is gone: the next one of the way takes the focus, for those who use keys. */
export function takeFocus(button: HTMLButtonElement | null): void {
  button?.focus({ preventScroll: true });
}

/** How long it has been, and the button that ends it. */
export function RecordingBar({
  kind,
  elapsedMs,
  onStop,
  className,
}: {
  kind: RecordingKind;
  elapsedMs: number;
  onStop: () => void;
  className?: string;
}) {
  return (
    <div className={cn('flex items-center gap-3', className)}>
      <span aria-hidden="true" className="size-3 shrink-0 animate-skeleton rounded-full bg-ember" />
      <span className="min-w-24 tabular-nums">
        {clock(elapsedMs)} <span className="opacity-80">of {clock(longestMs[kind])}</span>
      </span>
      <span className="sr-only" role="status">
        Recording
      </span>
      <Button className="ml-auto" onClick={onStop} ref={takeFocus}>
        <Square aria-hidden="true" className="size-4" fill="currentColor" strokeWidth={0} />
        Stop
      </Button>
    </div>
  );
}

type ReviewProps = Pick<RecorderProps, 'words' | 'onSend' | 'onDone'> & {
  take: Take;
  recorder: Pick<Recorder, 'discard' | 'leave'>;
  /** What plays it. */
  children: ReactNode;
};

/** What was recorded, to be heard or seen; below it: once more, or hand it up. */
export function Review({ take, recorder, words, onSend, onDone, children }: ReviewProps) {
  const [share, setShare] = useState<number | null>(null);
  const [failure, setFailure] = useState('');
  const Icon = words.icon ?? Check;

  async function send() {
    setFailure('');
    setShare(0);
    try {
      await onSend(take, setShare);
      end(recorder.leave);
    } catch (error) {
      setFailure(error instanceof Error ? error.message : 'Please try again.');
    }
    setShare(null);
  }

  function end(recording: () => void) {
    recording();
    onDone?.();
  }

  return (
    <div className="flex flex-col gap-3">
      <div className="mb-1">{children}</div>
      {share !== null && (
        <progress
          aria-label={words.sending}
          className="hw-progress w-full text-ember"
          max={1}
          value={share}
        />
      )}
      {failure && (
        <p className="text-danger text-sm" role="alert">
          {failure}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-3">
        <Button disabled={share !== null} onClick={() => end(recorder.discard)} variant="secondary">
          <RotateCcw aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
          Discard
        </Button>
        <Button busy={share !== null} onClick={send} ref={takeFocus}>
          {share === null && <Icon aria-hidden="true" className="size-5" strokeWidth={1.75} />}
          {share === null ? words.send : words.sending}
        </Button>
      </div>
    </div>
  );
}
