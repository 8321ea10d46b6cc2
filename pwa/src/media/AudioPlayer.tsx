import { Pause, Play, RotateCcw } from 'lucide-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { cn } from '@/ui';
import { clock, roundedDuration } from './clock.ts';
import type { Playable } from './recording.ts';
import { SpeedButton } from './SpeedButton.tsx';
import { describePlaybackError, sourcesOf } from './sources.ts';
import { TimeLine } from './TimeLine.tsx';
import { usePlayback } from './usePlayback.ts';
import { Waveform } from './Waveform.tsx';

type AudioPlayerProps = {
  recording: Playable;
  /** The accessible name, such as "Maya's voice greeting". */
  label?: string;
  className?: string;
  /** Called once, when more than half was played. */
  onHalfPlayed?: () => void;
  /** Called when it was played to its end. */
  onEnded?: () => void;
  /** Registers a function that starts playback, for autoplay; returns a function that unregisters it. */
  registerPlay?: (play: () => void) => () => void;
};

/** An audio player with a waveform as its time line. Nothing is fetched before it is played. */
export function AudioPlayer(props: AudioPlayerProps) {
  const { recording, label = 'Voice recording', className, onHalfPlayed, onEnded, registerPlay } = props;
  const ref = useRef<HTMLAudioElement>(null);
  const { durationMs, waveform, caption } = recording;
  const playback = usePlayback(ref, { durationMs, sources: sourcesOf(recording), onEnded });
  const { playing, positionMs, failed } = playback;
  useHalfPlayed(positionMs > durationMs / 2, onHalfPlayed);
  const start = useEffectEvent(() => !playing && playback.toggle());
  const register = useEffectEvent(() => registerPlay?.(() => void start()));
  useEffect(() => register(), []);
  const verb = failed ? 'Try again:' : playing ? 'Pause' : 'Play';
  const Icon = failed ? RotateCcw : playing ? Pause : Play;
  return (
    <figure aria-label={label} className={className}>
      {/* biome-ignore lint/a11y/useMediaCaption: a caption by the member, if any, is shown below. */}
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
            strokeWidth={failed ? undefined : 0}
          />
        </button>
        <TimeLine durationMs={durationMs} label={`Position in ${label}`} playback={playback}>
          <Waveform className="h-11" levels={waveform} share={durationMs ? positionMs / durationMs : 0} />
        </TimeLine>
        <span className="w-9 shrink-0 text-end text-muted text-sm tabular-nums">
          {clock(playing || positionMs > 0 ? positionMs : roundedDuration(durationMs))}
        </span>
        <SpeedButton className="-me-1 -ms-2 text-muted hover:bg-raised" />
      </div>
      {failed && <PlaybackError recording={recording} />}
      {caption && <figcaption className="mt-2 text-muted text-sm">{caption}</figcaption>}
    </figure>
  );
}

/** Calls `onHalfPlayed` once when `halfPlayed` becomes true. */
export function useHalfPlayed(halfPlayed: boolean, onHalfPlayed: (() => void) | undefined): void {
  const notify = useEffectEvent(() => onHalfPlayed?.());
  useEffect(() => {
    if (halfPlayed) notify();
  }, [halfPlayed]);
}

export function PlaybackError({ recording, className }: { recording: Playable; className?: string }) {
  return (
    <p className={cn('mt-2 text-danger text-sm', className)} role="alert">
      {describePlaybackError(recording, navigator.onLine)}
    </p>
  );
}
