import { type RefObject, useEffect, useState } from 'react';
import type { Moment } from '@/api/types.ts';
import { type InSession, part, useSession } from '@/base/pageSession.ts';
import { whenIdle } from '@/offline/store/idle.ts';
import { contentOf } from './content.ts';
import { makeFile, type PictureSize } from './drawing.ts';

export type Pictures = {
  files: Partial<Record<PictureSize, File>>;
  /** Whether the browser could not draw. */
  failed: boolean;
};

const none: Pictures = { files: {}, failed: false };

const drawingOf = part(() => ({ last: Promise.resolve() as Promise<unknown> }));

/** Runs `work` when the browser is idle, after the earlier calls. */
function inTurn(session: InSession, work: () => Promise<void>): void {
  const drawing = drawingOf(session);
  drawing.last = drawing.last.then(whenIdle).then(work).catch(console.warn);
}

/**
 * The pictures of a moment, drawn before a tap on a share button: a browser opens its share sheet only shortly after a
 * tap. They exist while the element is near the visible part of the page, which bounds the memory.
 */
export function usePictures(
  moment: Moment,
  firstName: string,
  element: RefObject<HTMLElement | null>,
): Pictures {
  const session = useSession();
  const [pictures, setPictures] = useState(none);
  const isNear = useNear(element);
  const { kind, headline, line } = contentOf(moment, firstName);
  useEffect(() => {
    if (!isNear) return;
    let stopped = false;
    for (const size of ['post', 'story'] as const)
      inTurn(session, async () => {
        if (stopped) return;
        const file = await makeFile({ kind, headline, line }, size).catch(console.warn);
        if (!stopped)
          setPictures(({ files, failed }) => ({
            files: file ? { ...files, [size]: file } : files,
            failed: failed || !file,
          }));
      });
    return () => {
      stopped = true;
      setPictures(none);
    };
  }, [isNear, kind, headline, line, session]);
  return pictures;
}

/** Whether the element is in the viewport, or less than a screen above or below it. */
function useNear(element: RefObject<HTMLElement | null>): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver(
      (entries) => setNear(entries.some(({ isIntersecting }) => isIntersecting)),
      { rootMargin: '100% 0px' },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isNear;
}
