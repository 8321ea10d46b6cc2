import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { speedNow, useSpeed } from './speed.ts';
import { takeTurn } from './turn.ts';

export type Playback = {
  /** What the element is to play. */
  src: string | undefined;
  playing: boolean;
  positionMs: number;
  failed: boolean;
  toggle: () => void;
  /** Goes to a moment; playing goes on where it was playing. */
  seek: (ms: number) => void;
};

type Options = {
  /** The measured length: a browser's own recordings do not tell theirs. */
  durationMs: number;
  /** In the order to be tried. */
  sources: string[];
  /** Played to its end. */
  onEnded?: () => void;
};

/** What an audio or video element does, as state. */
export function usePlayback(ref: RefObject<HTMLMediaElement | null>, options: Options): Playback {
  const { durationMs, sources } = options;
  const [playing, setPlaying] = useState(false);
  const [positionMs, setPosition] = useState(0);
  const [tried, setTried] = useState(0);
  const failed = tried >= sources.length;
  const wanted = useRef(false);
  const src = sources[Math.min(tried, sources.length - 1)];

  useEvents(ref, {
    play: () => setPlaying(true),
    pause: () => setPlaying(false),
    error: () => {
      setPlaying(false);
      setTried((now) => now + 1);
    },
    ended: () => {
      setPlaying(false);
      options.onEnded?.();
    },
    time: setPosition,
  });
  useRate(ref);
  useFrames(playing, () => setPosition((ref.current?.currentTime ?? 0) * 1000));

  // The one before could not be played: the next goes on with what was wanted.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new source is the cause
  useEffect(() => {
    if (wanted.current && !failed) play();
  }, [tried]);

  function play() {
    // A refusal arrives as the element's error event, or is a pause that came first.
    ref.current?.play().catch(() => undefined);
  }

  return {
    src,
    playing,
    positionMs: Math.min(positionMs, durationMs),
    failed,
    toggle() {
      const element = ref.current;
      if (!element) return;
      if (!element.paused) {
        wanted.current = false;
        return element.pause();
      }
      wanted.current = true;
      // After a failure it has to fetch again, from the first source on.
      if (failed) {
        setTried(0);
        element.load();
      }
      play();
    },
    seek(ms) {
      const to = Math.min(Math.max(0, ms), durationMs);
      if (ref.current) ref.current.currentTime = to / 1000;
      setPosition(to);
    },
  };
}

type Events = Record<'play' | 'pause' | 'error' | 'ended', () => void> & { time: (ms: number) => void };

/** What the element does by itself; leaving the screen ends it. */
function useEvents(ref: RefObject<HTMLMediaElement | null>, events: Events) {
  const tell = useEffectEvent((name: 'play' | 'pause' | 'error' | 'ended') => events[name]());
  const tellTime = useEffectEvent((seconds: number) => events.time(seconds * 1000));
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const listening = new AbortController();
    const on = (name: string, work: () => void) =>
      element.addEventListener(name, work, { signal: listening.signal });
    on('play', () => {
      // What moves without a sound interrupts nobody.
      if (!element.muted) takeTurn(element);
      element.playbackRate = speedNow();
      tell('play');
    });
    on('pause', () => tell('pause'));
    on('error', () => tell('error'));
    on('ended', () => {
      element.currentTime = 0;
      tell('ended');
    });
    on('timeupdate', () => tellTime(element.currentTime));
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

/** Runs with every frame: the element itself tells the time four times a second, too rarely for a line that moves. */
function useFrames(running: boolean, work: () => void) {
  const run = useEffectEvent(work);
  useEffect(() => {
    if (!running) return;
    let frame = requestAnimationFrame(function follow() {
      run();
      frame = requestAnimationFrame(follow);
    });
    return () => cancelAnimationFrame(frame);
  }, [running]);
}
