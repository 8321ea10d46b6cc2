import { Pause, Play, RotateCcw, Volume2, VolumeX } from 'lucide-react';
import { useRef, useState } from 'react';
import { cn } from '@/ui';
import { PlaybackError, useHalfPlayed } from './AudioPlayer.tsx';
import { clock, roundedDuration } from './clock.ts';
import type { Playable } from './recording.ts';
import { SpeedButton } from './SpeedButton.tsx';
import { sourcesOf } from './sources.ts';
import { TimeLine } from './TimeLine.tsx';
import { type Playback, usePlayback } from './usePlayback.ts';
import { usePlayInView } from './usePlayInView.ts';

type VideoPlayerProps = {
  recording: Playable;
  /** The accessible name, such as "Maya's video greeting". */
  label?: string;
  className?: string;
  /** Called once, when more than half was played. */
  onHalfPlayed?: () => void;
  /** Plays muted while it is in view. */
  autoplay?: boolean;
};

/** A video player; shows a poster until it is played. */
export function VideoPlayer({
  recording,
  label = 'Video',
  className,
  onHalfPlayed,
  autoplay = false,
}: VideoPlayerProps) {
  const ref = useRef<HTMLVideoElement>(null);
  // Null until the member decides, because the autoplay setting may load later.
  const [mutedByMember, setMutedByMember] = useState<boolean | null>(null);
  const muted = mutedByMember ?? autoplay;
  const { durationMs, posterUrl, caption } = recording;
  const playback = usePlayback(ref, { durationMs, sources: sourcesOf(recording) });
  useHalfPlayed(playback.positionMs > durationMs / 2, onHalfPlayed);
  usePlayInView(ref, autoplay);
  const { playing, failed } = playback;
  return (
    <figure aria-label={label} className={className}>
      <div className="relative aspect-4/5 overflow-hidden rounded-card bg-photo-shade">
        <video
          className="absolute inset-0 size-full object-cover"
          muted={muted}
          onClick={playback.toggle}
          playsInline
          poster={posterUrl ?? undefined}
          // Without a poster the first frame is loaded, a few kilobytes.
          preload={posterUrl ? 'none' : 'metadata'}
          ref={ref}
          src={playback.src}
        />
        {!playing && (
          <PlayButton
            failed={failed}
            label={label}
            onClick={() => {
              // A tap on Play unmutes.
              if (ref.current) ref.current.muted = false;
              setMutedByMember(false);
              playback.toggle();
            }}
          />
        )}
        <Controls
          durationMs={durationMs}
          label={label}
          muted={muted}
          onMute={() => setMutedByMember(!muted)}
          playback={playback}
        />
      </div>
      {failed && <PlaybackError recording={recording} />}
      {caption && <figcaption className="mt-2 text-muted text-sm">{caption}</figcaption>}
    </figure>
  );
}

type PlayButtonProps = { failed: boolean; label: string; onClick: () => void };

function PlayButton({ failed, label, onClick }: PlayButtonProps) {
  const Icon = failed ? RotateCcw : Play;
  return (
    <button
      aria-label={`${failed ? 'Try again:' : 'Play'} ${label}`}
      className="absolute inset-0 m-auto grid size-16 place-items-center rounded-full bg-ember text-on-ember shadow-float transition-colors hover:bg-ember-strong"
      onClick={onClick}
      type="button"
    >
      <Icon
        aria-hidden="true"
        className={cn('size-7', !failed && 'translate-x-0.5')}
        fill={failed ? 'none' : 'currentColor'}
        strokeWidth={failed ? undefined : 0}
      />
    </button>
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
      <span className="min-w-9 text-end text-sm tabular-nums">
        {clock(playing || positionMs > 0 ? positionMs : roundedDuration(durationMs))}
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
      <Icon aria-hidden="true" className="size-5" />
    </button>
  );
}
