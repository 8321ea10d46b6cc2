/**
 * What the animation library moves outside the deck: sheets, the celebration and the rows of lists. It is loaded after the
 * first touch (motion.ts); the library is in this module's chunk. Whole transforms are animated, which the browser does
 * without the main thread; the library's own `x` and `y` would be computed by it in each frame.
 */
import { animate, useMotionValue, useMotionValueEvent } from 'motion/react';
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import { dragOf, watchDrags } from './sheetDrag.ts';
import { Motion, TakenOver } from './TakenOver.tsx';

/** Without an overshoot: below a sheet that rose too far the page would be seen. */
const SHEET_SPRING = { type: 'spring', stiffness: 420, damping: 42 } as const;
const LEAVE_SECONDS = 0.22;
/** How long a sheet may take to be closed after it has left. Then it comes back. */
const CLOSE_MS = 500;

/** Takes elements over once they are in the page, before they are painted. */
function Moves({ children }: { children: ReactNode }) {
  const [hasElements, setHasElements] = useState(false);
  useLayoutEffect(() => setHasElements(true), []);
  return hasElements && <Motion>{children}</Motion>;
}

type SheetMoverProps = {
  sheet: RefObject<HTMLDialogElement | null>;
  /** The part by which the sheet is dragged. */
  handle: RefObject<HTMLElement | null>;
  /** Whether the sheet comes from below. If not, it is in its place. */
  enters: boolean;
  /** Whether a drag may close it. If not, it springs back. */
  mayClose: () => boolean;
  /** Called a fixed time after the sheet was dragged down far or fast enough. If it stays, it comes back. */
  onDragDown: () => void;
};

/** Lets a sheet come from below, and follow a finger that drags its head down. */
export function SheetMover({ sheet, handle, enters, mayClose, onDragDown }: SheetMoverProps) {
  useDragDown(sheet, handle, mayClose, onDragDown);
  return (
    <Moves>
      <TakenOver
        // At rest without a transform, which would move fixed elements inside.
        animate={{ transform: 'translateY(0%)', transitionEnd: { transform: 'none' } }}
        element={sheet}
        initial={enters && { transform: 'translateY(100%)' }}
        transition={SHEET_SPRING}
      />
    </Moves>
  );
}

function useDragDown(
  sheet: SheetMoverProps['sheet'],
  handle: SheetMoverProps['handle'],
  mayClose: () => boolean,
  onDragDown: () => void,
): void {
  const y = useMotionValue(0);
  const dragDown = useEffectEvent(onDragDown);
  const mayLeave = useEffectEvent(mayClose);
  // Not the transform, which the entrance may still animate.
  useMotionValueEvent(y, 'change', (offset) => {
    if (sheet.current) sheet.current.style.translate = offset > 0 ? `0 ${offset}px` : '';
  });
  useLayoutEffect(() => {
    const element = sheet.current;
    return () => {
      y.stop();
      element?.style.removeProperty('translate');
    };
  }, [sheet, y]);
  useEffect(() => {
    const head = handle.current;
    if (!head) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // By timers, so that it is closed also if it could not be moved.
    function leave(height: number) {
      animate(y, height, { duration: LEAVE_SECONDS, ease: 'easeOut' });
      timer = setTimeout(() => {
        dragDown();
        timer = setTimeout(() => {
          timer = undefined;
          animate(y, 0, SHEET_SPRING);
        }, CLOSE_MS);
      }, LEAVE_SECONDS * 1000);
    }
    const stopWatching = watchDrags(head, {
      onStart() {
        if (timer) return null;
        y.stop();
        // The transition of a sheet that entered without the library would let it trail behind the finger.
        if (sheet.current) sheet.current.style.transition = 'none';
        return y.get();
      },
      onMove: (samples) => y.set(Math.max(0, dragOf(samples).distance)),
      onEnd(samples, isCancelled) {
        const height = sheet.current?.offsetHeight ?? 0;
        const { velocity, closes } = dragOf(samples, height);
        if (!isCancelled && closes && mayLeave()) leave(height);
        else animate(y, 0, { ...SHEET_SPRING, velocity });
      },
    });
    return () => {
      stopWatching();
      clearTimeout(timer);
    };
  }, [sheet, handle, y]);
}

type CelebrationMoverProps = Record<'words' | 'me' | 'other' | 'mark', RefObject<HTMLElement | null>>;

const ARRIVAL = { type: 'spring', stiffness: 190, damping: 17 } as const;
const IN_PLACE = { transform: 'translate(0px, 0px) scale(1)' };

/** Lets the words of a celebration rise, its faces meet and the mark between them pop up. Nothing starts invisible. */
export const CelebrationMover = ({ words, me, other, mark }: CelebrationMoverProps) => (
  <Moves>
    <TakenOver
      animate={IN_PLACE}
      element={words}
      initial={{ transform: 'translate(0px, 36px) scale(0.92)' }}
      transition={ARRIVAL}
    />
    <TakenOver
      animate={IN_PLACE}
      element={me}
      initial={{ transform: 'translate(-72px, 0px) scale(0.8)' }}
      transition={ARRIVAL}
    />
    <TakenOver
      animate={IN_PLACE}
      element={other}
      initial={{ transform: 'translate(72px, 0px) scale(0.8)' }}
      transition={ARRIVAL}
    />
    <TakenOver
      animate={IN_PLACE}
      element={mark}
      initial={{ transform: 'translate(0px, 0px) scale(0.3)' }}
      transition={{ ...ARRIVAL, delay: 0.18 }}
    />
  </Moves>
);

/** Moves a row of a list from its old place, which is `by` away, to the new one, where it is already drawn. */
export function moveRow(row: HTMLElement, by: { x: number; y: number }): void {
  // It may still be on the way.
  const now = shiftOf(row);
  const from = `translate(${by.x + now.x}px, ${by.y + now.y}px)`;
  animate(
    row,
    { transform: [from, 'translate(0px, 0px)'] },
    { type: 'spring', stiffness: 380, damping: 36 },
  ).then(
    () => row.style.removeProperty('transform'),
    () => undefined,
  );
}

/** Returns how far an element is from its place, in CSS pixels. */
function shiftOf(element: Element): { x: number; y: number } {
  const { transform } = getComputedStyle(element);
  if (!transform || transform === 'none') return { x: 0, y: 0 };
  const { m41, m42 } = new DOMMatrixReadOnly(transform);
  return { x: m41, y: m42 };
}
