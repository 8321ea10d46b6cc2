import { Pause, Play, RotateCcw } from 'lucide-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { cn } from '@/ui';
import { clock, lengthOf } from './clock.ts';
import type { Playable } from './recording.ts';
import { SpeedButton } from './SpeedButton.tsx';
import { sourcesOf, troubleWith } from './sources.ts';
import { TimeLine } from './TimeLine.tsx';
import { usePlayback } from './usePlayback.ts';
import { Waveform } from './Waveform.tsx';

type AudioPlayerProps = {
  recording: Playable;
  /** What is played: "Maya's voice greeting". */
  label?: string;
  className?: string;
  /** More than half of it was heard. */
  onHeard?: () => void;
  /** Heard to its end. */
  onEnded?: () => void;
  /** Given the way to start it, for whatever plays one after the other. */
  control?: (play: () => void) => () => void;
};

/** A voice: play and pause, its loudness as the time line, and its time. Nothing is fetched before it is played. */
export function AudioPlayer(props: AudioPlayerProps) {
  const { recording, label = 'Voice recording', className, onHeard, onEnded, control } = props;
  const ref = useRef<HTMLAudioElement>(null);
  const { durationMs, waveform, caption } = recording;
  const playback = usePlayback(ref, { durationMs, sources: sourcesOf(recording), onEnded });
  const { playing, positionMs, failed } = playback;
  useHeard(positionMs > durationMs / 2, onHeard);
  const start = useEffectEvent(() => !playing && playback.toggle());
  const register = useEffectEvent(() => control?.(() => void start()));
  useEffect(() => register(), []);
  const verb = failed ? 'Try again:' : playing ? 'Pause' : 'Play';
  const Icon = failed ? RotateCcw : playing ? Pause : Play;
  return (
    <figure aria-label={label} className={className}>
      {/* biome-ignore lint/a11y/useMediaCaption: its words, where the member gave them, stand below. */}
      <audio preload="none" ref={ref} src={playback.src} />
      <div className="flex items-center gap-3">
        <button
          aria-label={`${verb} ${label}`}
          className="grid size-12 shrink-0 place-items-center rounded-full bg-ember text-on-ember transition-colors hover:bg-ember-strong"
          onClick={playback.toggle}
          type="button"
        >
          <Icon
            aria-hidden="true"
            className={cn('size-5.5', !playing && !failed && 'translate-x-px')}
            fill={failed ? 'none' : 'currentColor'}
            strokeWidth={failed ? 1.75 : 0}
          />
        </button>
        <TimeLine durationMs={durationMs} label={`Position in ${label}`} playback={playback}>
          <Waveform className="h-11" levels={waveform} share={durationMs ? positionMs / durationMs : 0} />
        </TimeLine>
        <span className="w-9 shrink-0 text-right text-muted text-sm tabular-nums">
          {clock(playing || positionMs > 0 ? positionMs : lengthOf(durationMs))}
        </span>
        <SpeedButton className="-mr-1 -ml-2 text-muted hover:bg-raised" />
      </div>
      {failed && <PlaybackTrouble recording={recording} />}
      {caption && <figcaption className="mt-2 text-muted text-sm">{caption}</figcaption>}
    </figure>
  );
}

/** Tells once that it was heard, however often it goes back and forth. */
export function useHeard(heard: boolean, onHeard: (() => void) | undefined): void {
  const tell = useEffectEvent(() => onHeard?.());
  useEffect(() => {
    if (heard) tell();
  }, [heard]);
}

export function PlaybackTrouble({ recording, className }: { recording: Playable; className?: string }) {
  return (
    <p className={cn('mt-2 text-danger text-sm', className)} role="alert">
      {troubleWith(recording, navigator.onLine)}
    </p>
  );
}
