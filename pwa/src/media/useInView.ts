import { type RefObject, useEffect } from 'react';

/** Plays, without sound, while most of it is on the screen; whoever wants no motion is spared. */
export function useInView(ref: RefObject<HTMLVideoElement | null>, wanted: boolean): void {
  useEffect(() => {
    const video = ref.current;
    if (!video || !wanted || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const watcher = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) video.pause();
        else if (video.muted) video.play().catch(() => undefined);
      },
      { threshold: 0.6 },
    );
    watcher.observe(video);
    return () => watcher.disconnect();
  }, [ref, wanted]);
}
