import { type RefObject, useEffect } from 'react';

/** Plays a muted video while most of it is in view, unless the member prefers reduced motion. */
export function usePlayInView(ref: RefObject<HTMLVideoElement | null>, enabled: boolean): void {
  useEffect(() => {
    const video = ref.current;
    if (!video || !enabled || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) video.pause();
        else if (video.muted) video.play().catch(() => undefined);
      },
      { threshold: 0.6 },
    );
    observer.observe(video);
    return () => observer.disconnect();
  }, [ref, enabled]);
}
