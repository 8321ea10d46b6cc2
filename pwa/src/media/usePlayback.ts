import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { takeTurn } from './turn.ts';

export type Playback = {
  playing: boolean;
  positionMs: number;
  failed: boolean;
  toggle: () => void;
  /** Goes to a moment; playing goes on where it was playing. */
  seek: (ms: number) => void;
};

/** What an audio or video element does, as state; `durationMs` is the measured length. */
export function usePlayback(ref: RefObject<HTMLMediaElement | null>, durationMs: number): Playback {
  const [playing, setPlaying] = useState(false);
  const [positionMs, setPosition] = useState(0);
  const [failed, setFailed] = useState(false);

  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const listening = new AbortController();
    const on = (name: string, work: () => void) =>
      element.addEventListener(name, work, { signal: listening.signal });
    on('play', () => {
      takeTurn(element);
      setPlaying(true);
      setFailed(false);
    });
    on('pause', () => setPlaying(false));
    on('error', () => {
      setPlaying(false);
      setFailed(true);
    });
    on('ended', () => {
      setPlaying(false);
      element.currentTime = 0;
    });
    on('timeupdate', () => setPosition(element.currentTime * 1000));
    return () => {
      listening.abort();
      element.pause();
    };
  }, [ref]);

  useFrames(playing, () => setPosition((ref.current?.currentTime ?? 0) * 1000));

  function play(element: HTMLMediaElement) {
    // After a failure it has to fetch again.
    if (failed) element.load();
    // A refusal arrives as the element's error event, or is a pause that came first.
    element.play().catch(() => undefined);
  }

  return {
    playing,
    positionMs: Math.min(positionMs, durationMs),
    failed,
    toggle() {
      const element = ref.current;
      if (!element) return;
      if (element.paused) play(element);
      else element.pause();
    },
    seek(ms) {
      const to = Math.min(Math.max(0, ms), durationMs);
      if (ref.current) ref.current.currentTime = to / 1000;
      setPosition(to);
    },
  };
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
