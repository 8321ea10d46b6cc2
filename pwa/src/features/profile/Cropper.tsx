import { Minus, Plus } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { canvasIsTrue, contextOnWhite, isDecoded, MAX_SIDE_PX } from '@/media/picture.ts';
import { Button, cn, IconButton, Sheet, useAction } from '@/ui';
import {
  type CroppedPicture,
  cropSize,
  initialView,
  MAX_ZOOM,
  outputSize,
  pan,
  partOf,
  type Size,
  type View,
  zoomTo,
} from './crop.ts';

const JPEG_QUALITY = 0.9;
const ZOOM_STEP = 1.25;
const KEY_STEP = 0.05;

type CropperProps = {
  file: File;
  shape: 'photo' | 'banner';
  onDone: (cropped: CroppedPicture) => void;
  onCancel: () => void;
  /** Called when the browser cannot decode or crop the file, which is then used as it is. */
  onUnreadable: () => void;
};

const shapes = {
  photo: { ratio: 4 / 5, frame: 'aspect-4/5 w-[min(100%,44dvh)]' },
  banner: { ratio: 3, frame: 'aspect-3/1 w-full' },
};

/** Crops a picture on the device, by one or two fingers, wheel, buttons or keys. */
export default function Cropper({ file, shape, onDone, onCancel, onUnreadable }: CropperProps) {
  const { ratio, frame } = shapes[shape];
  const image = useDecodedImage(file, onUnreadable);
  const [adjusted, setAdjusted] = useState<View | null>(null);
  const view = adjusted ?? (image && initialView(naturalSize(image)));

  /** Changes the newest view: a second event may come before the first is drawn. Does nothing until the picture is loaded. */
  function change(changed: Change) {
    if (!image) return;
    const size = naturalSize(image);
    setAdjusted((newest) => changed(size, newest ?? initialView(size)));
  }

  async function finish() {
    if (!image || !view) return;
    if (!canvasIsTrue() || !isDecoded(image)) {
      onDone({ bytes: file, crop: partOf(naturalSize(image), ratio, view) });
      return;
    }
    const bytes = await cropPicture(image, ratio, view);
    if (bytes) onDone({ bytes });
    else onUnreadable();
  }
  const [run, { isBusy }] = useAction(finish, { staysBusy: true });

  return (
    <Sheet
      actions={
        <>
          <Button onClick={onCancel} variant="secondary">
            Cancel
          </Button>
          <Button busy={isBusy} disabled={!image} onClick={run}>
            Use photo
          </Button>
        </>
      }
      description="Drag to reposition. Pinch or use the slider to zoom."
      onClose={onCancel}
      open
      title="Crop your photo"
    >
      <div className="flex flex-col items-center gap-4">
        <Frame className={frame} image={image} onChange={change} ratio={ratio} view={view} />
        {view && (
          <ZoomBar
            onZoom={(zoomed) => change((size, newest) => zoomTo(size, ratio, newest, zoomed(newest.zoom)))}
            zoom={view.zoom}
          />
        )}
      </div>
    </Sheet>
  );
}

/** Returns the next view of a picture of that size. */
type Change = (size: Size, view: View) => View;

function naturalSize(image: HTMLImageElement): Size {
  return { width: image.naturalWidth, height: image.naturalHeight };
}

/** Returns the decoded picture, upright; null until it is loaded. */
function useDecodedImage(file: File, onUnreadable: () => void): HTMLImageElement | null {
  const [image, setImage] = useState<HTMLImageElement | null>(null);
  const reportUnreadable = useEffectEvent(onUnreadable);
  useEffect(() => {
    const url = URL.createObjectURL(file);
    const picture = new Image();
    let unmounted = false;
    picture.src = url;
    picture.decode().then(
      () => !unmounted && setImage(picture),
      () => !unmounted && reportUnreadable(),
    );
    return () => {
      unmounted = true;
      URL.revokeObjectURL(url);
    };
  }, [file]);
  return image;
}

export function cropPicture(image: HTMLImageElement, ratio: number, view: View): Promise<Blob | null> {
  const from = cropSize(naturalSize(image), ratio, view.zoom);
  const to = outputSize(naturalSize(image), ratio, view.zoom, MAX_SIDE_PX);
  const canvas = document.createElement('canvas');
  canvas.width = to.width;
  canvas.height = to.height;
  const [left, top] = [view.x - from.width / 2, view.y - from.height / 2];
  contextOnWhite(canvas)?.drawImage(image, left, top, from.width, from.height, 0, 0, to.width, to.height);
  return new Promise((done) => canvas.toBlob(done, 'image/jpeg', JPEG_QUALITY));
}

type FrameProps = {
  image: HTMLImageElement | null;
  ratio: number;
  view: View | null;
  onChange: (change: Change) => void;
  className: string;
};

function Frame({ image, ratio, view, onChange, className }: FrameProps) {
  const ref = useRef<HTMLDivElement>(null);
  const pointerHandlers = usePanAndZoom(ref, (by, scale, at) => {
    onChange((size, newest) => {
      const moved = pan(size, ratio, newest, by);
      return scale === 1 ? moved : zoomTo(size, ratio, moved, moved.zoom * scale, at);
    });
  });

  function handleKey(event: KeyboardEvent) {
    const change = changeByKey(event.key, ratio);
    if (!change) return;
    event.preventDefault();
    onChange(change);
  }

  const size = image && view && cropSize(naturalSize(image), ratio, view.zoom);
  return (
    <div
      aria-label="Your photo: arrow keys move it, plus and minus zoom"
      className={cn(
        'relative max-w-full cursor-grab touch-none overflow-hidden rounded-card bg-photo-shade active:cursor-grabbing',
        className,
      )}
      onKeyDown={handleKey}
      ref={ref}
      role="application"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is panned and zoomed by keys, as its label says.
      tabIndex={0}
      {...pointerHandlers}
    >
      {image && view && size && (
        <img
          alt=""
          className="pointer-events-none absolute max-w-none select-none"
          draggable={false}
          src={image.src}
          style={{
            width: `${(image.naturalWidth / size.width) * 100}%`,
            left: `${(0.5 - view.x / size.width) * 100}%`,
            top: `${(0.5 - view.y / size.height) * 100}%`,
          }}
        />
      )}
      <span
        aria-hidden="true"
        className="pointer-events-none absolute inset-0 rounded-card ring-1 ring-on-photo/40 ring-inset"
      />
    </div>
  );
}

const arrows: Record<string, { x: number; y: number }> = {
  ArrowLeft: { x: -KEY_STEP, y: 0 },
  ArrowRight: { x: KEY_STEP, y: 0 },
  ArrowUp: { x: 0, y: -KEY_STEP },
  ArrowDown: { x: 0, y: KEY_STEP },
};

function changeByKey(key: string, ratio: number): Change | undefined {
  const by = arrows[key];
  if (by) return (size, view) => pan(size, ratio, view, by);
  if (key === '+' || key === '=') return (size, view) => zoomTo(size, ratio, view, view.zoom * ZOOM_STEP);
  if (key === '-') return (size, view) => zoomTo(size, ratio, view, view.zoom / ZOOM_STEP);
  return undefined;
}

type Point = { x: number; y: number };
type OnMove = (by: Point, scale: number, at: Point) => void;

/** Pans with one finger, zooms with two or the wheel. Calls `onMove` with shares of the frame. */
function usePanAndZoom(ref: { current: HTMLElement | null }, onMove: OnMove) {
  const down = useRef(new Map<number, Point>());
  const move = useEffectEvent(onMove);

  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const handleWheel = (event: WheelEvent) => {
      event.preventDefault();
      const { left, top, width, height } = element.getBoundingClientRect();
      const at = { x: (event.clientX - left) / width - 0.5, y: (event.clientY - top) / height - 0.5 };
      move({ x: 0, y: 0 }, Math.exp(-event.deltaY / 400), at);
    };
    // React's listener is passive and could not prevent the page from scrolling.
    element.addEventListener('wheel', handleWheel, { passive: false });
    return () => element.removeEventListener('wheel', handleWheel);
  }, [ref]);

  function handleMove(event: PointerEvent<HTMLElement>) {
    if (!down.current.has(event.pointerId)) return;
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    const before = pinchOf([...down.current.values()]);
    down.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const after = pinchOf([...down.current.values()]);
    const by = { x: (before.x - after.x) / width, y: (before.y - after.y) / height };
    const scale = before.distance > 0 && after.distance > 0 ? after.distance / before.distance : 1;
    onMove(by, scale, { x: (after.x - left) / width - 0.5, y: (after.y - top) / height - 0.5 });
  }

  const up = (event: PointerEvent) => down.current.delete(event.pointerId);
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      event.currentTarget.setPointerCapture(event.pointerId);
      down.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    },
    onPointerMove: handleMove,
    onPointerUp: up,
    onPointerCancel: up,
  };
}

/** Returns the middle of the first two fingers and their distance. */
function pinchOf([one = { x: 0, y: 0 }, other = one]: Point[]) {
  return {
    x: (one.x + other.x) / 2,
    y: (one.y + other.y) / 2,
    distance: Math.hypot(one.x - other.x, one.y - other.y),
  };
}

type ZoomBarProps = { zoom: number; onZoom: (zoomed: (zoom: number) => number) => void };

function ZoomBar({ zoom, onZoom }: ZoomBarProps) {
  return (
    <div className="flex w-full max-w-xs items-center gap-2">
      <IconButton
        disabled={zoom <= 1}
        icon={Minus}
        label="Further away"
        onClick={() => onZoom((newest) => newest / ZOOM_STEP)}
      />
      <input
        aria-label="Zoom"
        className="h-11 min-w-0 flex-1 accent-ember"
        max={MAX_ZOOM}
        min={1}
        onChange={({ target: { valueAsNumber } }) => onZoom(() => valueAsNumber)}
        step={0.01}
        type="range"
        value={zoom}
      />
      <IconButton
        disabled={zoom >= MAX_ZOOM}
        icon={Plus}
        label="Closer"
        onClick={() => onZoom((newest) => newest * ZOOM_STEP)}
      />
    </div>
  );
}
