import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { playExclusively } from './exclusivePlayback.ts';
import { currentSpeed, useSpeed } from './speed.ts';

export type Playback = {
  /** The source for the element. */
  src: string | undefined;
  playing: boolean;
  positionMs: number;
  failed: boolean;
  toggle: () => void;
  /** Changes the position; playback continues if it was playing. */
  seek: (ms: number) => void;
};

type Options = {
  /** The measured duration, because files recorded by a browser have none. */
  durationMs: number;
  /** In the order to try. */
  sources: string[];
  /** Called when it was played to its end. */
  onEnded?: () => void;
};

/** The state of an audio or video element, and functions to control it. */
export function usePlayback(ref: RefObject<HTMLMediaElement | null>, options: Options): Playback {
  const { durationMs, sources } = options;
  const [playing, setPlaying] = useState(false);
  const [positionMs, setPosition] = useState(0);
  const [sourceIndex, setSourceIndex] = useState(0);
  const failed = sourceIndex >= sources.length;
  const shouldPlay = useRef(false);
  const src = sources[Math.min(sourceIndex, sources.length - 1)];

  useEvents(ref, {
    play: () => setPlaying(true),
    pause: () => setPlaying(false),
    error: () => {
      setPlaying(false);
      setSourceIndex((now) => now + 1);
    },
    ended: () => {
      setPlaying(false);
      options.onEnded?.();
    },
    time: setPosition,
  });
  useRate(ref);
  useFrames(playing, () => setPosition((ref.current?.currentTime ?? 0) * 1000));

  // The previous source failed: the next one is played if the previous should have been.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the source changes
  useEffect(() => {
    if (shouldPlay.current && !failed) play(ref.current);
  }, [sourceIndex]);

  return {
    src,
    playing,
    positionMs: Math.min(positionMs, durationMs),
    failed,
    toggle() {
      const element = ref.current;
      if (!element) return;
      if (!element.paused) {
        shouldPlay.current = false;
        return element.pause();
      }
      shouldPlay.current = true;
      // After a failure all sources are tried again.
      if (failed) {
        setSourceIndex(0);
        element.load();
      }
      play(element);
    },
    seek(ms) {
      const to = Math.min(Math.max(0, ms), durationMs);
      if (ref.current) ref.current.currentTime = to / 1000;
      setPosition(to);
    },
  };
}

/** Plays an element. A rejection is also reported by its error event, or caused by an earlier pause. */
const play = (element: HTMLMediaElement | null) => void element?.play().catch(() => undefined);

type Events = Record<'play' | 'pause' | 'error' | 'ended', () => void> & { time: (ms: number) => void };

/** Subscribes to the element's events; pauses it on unmount. */
function useEvents(ref: RefObject<HTMLMediaElement | null>, events: Events) {
  const notify = useEffectEvent((name: 'play' | 'pause' | 'error' | 'ended') => events[name]());
  const notifyTime = useEffectEvent((seconds: number) => events.time(seconds * 1000));
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const listening = new AbortController();
    const on = (name: string, work: () => void) =>
      element.addEventListener(name, work, { signal: listening.signal });
    on('play', () => {
      // A muted video does not pause other players.
      if (!element.muted) playExclusively(element);
      element.playbackRate = currentSpeed();
      notify('play');
    });
    on('pause', () => notify('pause'));
    on('error', () => notify('error'));
    on('ended', () => {
      element.currentTime = 0;
      notify('ended');
    });
    on('timeupdate', () => notifyTime(element.currentTime));
    return () => {
      listening.abort();
      element.pause();
    };
  }, [ref]);
}

function useRate(ref: RefObject<HTMLMediaElement | null>) {
  const speed = useSpeed();
  useEffect(() => {
    if (ref.current) ref.current.playbackRate = speed;
  }, [ref, speed]);
}

/** Calls `work` in each frame: `timeupdate` fires four times a second, too rarely for a smooth time line. */
function useFrames(running: boolean, work: () => void) {
  const run = useEffectEvent(work);
  useEffect(() => {
    if (!running) return;
    let frame = requestAnimationFrame(function step() {
      run();
      frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [running]);
}
