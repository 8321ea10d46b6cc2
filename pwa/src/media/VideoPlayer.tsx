import { Pause, Play, RotateCcw, Volume2, VolumeX } from 'lucide-react';
import { useRef, useState } from 'react';
import { cn } from '@/ui';
import { PlaybackTrouble, useHeard } from './AudioPlayer.tsx';
import { clock, lengthOf } from './clock.ts';
import type { Playable } from './recording.ts';
import { SpeedButton } from './SpeedButton.tsx';
import { sourcesOf } from './sources.ts';
import { TimeLine } from './TimeLine.tsx';
import { useInView } from './useInView.ts';
import { type Playback, usePlayback } from './usePlayback.ts';

type VideoPlayerProps = {
  recording: Playable;
  /** What is played: "Maya's video greeting". */
  label?: string;
  className?: string;
  /** More than half of it was seen. */
  onHeard?: () => void;
  /** Moves without sound while it is in view. */
  autoplay?: boolean;
};

/** A video with its own few controls; a still stands there until it is played. */
export function VideoPlayer({
  recording,
  label = 'Video',
  className,
  onHeard,
  autoplay = false,
}: VideoPlayerProps) {
  const ref = useRef<HTMLVideoElement>(null);
  // Nothing, until it is chosen: what the member wants may be read later.
  const [chosen, setChosen] = useState<boolean | null>(null);
  const muted = chosen ?? autoplay;
  const { durationMs, posterUrl, caption } = recording;
  const playback = usePlayback(ref, { durationMs, sources: sourcesOf(recording) });
  useHeard(playback.positionMs > durationMs / 2, onHeard);
  useInView(ref, autoplay);
  const { playing, failed } = playback;
  const Icon = failed ? RotateCcw : Play;
  return (
    <figure aria-label={label} className={className}>
      <div className="relative aspect-4/5 overflow-hidden rounded-card bg-photo-shade">
        <video
          className="absolute inset-0 size-full object-cover"
          muted={muted}
          onClick={playback.toggle}
          playsInline
          poster={posterUrl ?? undefined}
          // A still is there already; without one the first frame is worth its few kilobytes.
          preload={posterUrl ? 'none' : 'metadata'}
          ref={ref}
          src={playback.src}
        />
        {!playing && (
          <button
            aria-label={`${failed ? 'Try again:' : 'Play'} ${label}`}
            className="absolute inset-0 m-auto grid size-16 place-items-center rounded-full bg-ember text-on-ember shadow-float transition-colors hover:bg-ember-strong"
            onClick={() => {
              // Whoever taps it wants to hear it, too.
              if (ref.current) ref.current.muted = false;
              setChosen(false);
              playback.toggle();
            }}
            type="button"
          >
            <Icon
              aria-hidden="true"
              className={cn('size-7', !failed && 'translate-x-0.5')}
              fill={failed ? 'none' : 'currentColor'}
              strokeWidth={failed ? 1.75 : 0}
            />
          </button>
        )}
        <Controls
          durationMs={durationMs}
          label={label}
          muted={muted}
          onMute={() => setChosen(!muted)}
          playback={playback}
        />
      </div>
      {failed && <PlaybackTrouble recording={recording} />}
      {caption && <figcaption className="mt-2 text-muted text-sm">{caption}</figcaption>}
    </figure>
  );
}

type ControlsProps = {
  playback: Playback;
  durationMs: number;
  label: string;
  muted: boolean;
  onMute: () => void;
};

function Controls({ playback, durationMs, label, muted, onMute }: ControlsProps) {
  const { playing, positionMs } = playback;
  const share = durationMs ? (positionMs / durationMs) * 100 : 0;
  const Sound = muted ? VolumeX : Volume2;

  return (
    <div className="photo-fade absolute inset-x-0 bottom-0 flex items-center gap-1 px-2 pt-6 pb-1 text-on-photo">
      {playing && <PhotoButton icon={Pause} label={`Pause ${label}`} onClick={playback.toggle} />}
      <TimeLine className="mx-2" durationMs={durationMs} label={`Position in ${label}`} playback={playback}>
        <span className="absolute inset-x-0 top-1/2 h-1.5 -translate-y-1/2 overflow-hidden rounded-full bg-scrim ring-1 ring-on-photo">
          <span className="block h-full bg-on-photo" style={{ width: `${share}%` }} />
        </span>
      </TimeLine>
      <span className="min-w-9 text-right text-sm tabular-nums">
        {clock(playing || positionMs > 0 ? positionMs : lengthOf(durationMs))}
      </span>
      <SpeedButton />
      <PhotoButton icon={Sound} label={muted ? `Sound on: ${label}` : `Mute ${label}`} onClick={onMute} />
    </div>
  );
}

function PhotoButton({
  icon: Icon,
  label,
  onClick,
}: {
  icon: typeof Pause;
  label: string;
  onClick: () => void;
}) {
  return (
    <button
      aria-label={label}
      className="grid size-11 shrink-0 place-items-center rounded-full"
      onClick={onClick}
      type="button"
    >
      <Icon aria-hidden="true" className="size-5" strokeWidth={1.75} />
    </button>
  );
}
