import { Minus, Plus } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { contextOnWhite, MAX_SIDE_PX } from '@/media/picture.ts';
import { Button, cn, IconButton, Sheet } from '@/ui';
import { closest, cutSize, kept, panned, type Size, type View, wholeView, zoomed } from './crop.ts';

const quality = 0.9;
const zoomStep = 1.25;
const keyShare = 0.05;

type CropperProps = {
  file: File;
  shape: 'photo' | 'banner';
  onDone: (cut: Blob) => void;
  onCancel: () => void;
  /** The browser cannot show it: the file goes as it is, and the server decides. */
  onUnreadable: () => void;
};

const shapes = {
  photo: { ratio: 4 / 5, frame: 'aspect-4/5 w-[min(100%,44dvh)]' },
  banner: { ratio: 3, frame: 'aspect-3/1 w-full' },
};

/** Choosing what of a picture is shown: by one finger or two, wheel, buttons or keys. Cut on the device. */
export default function Cropper({ file, shape, onDone, onCancel, onUnreadable }: CropperProps) {
  const { ratio, frame } = shapes[shape];
  const image = usePicture(file, onUnreadable);
  const [chosen, setView] = useState<View | null>(null);
  const [busy, setBusy] = useState(false);
  const view = chosen ?? (image && wholeView(natural(image)));

  async function cutOut() {
    if (!image || !view) return;
    setBusy(true);
    const cut = await cutPicture(image, ratio, view);
    if (cut) onDone(cut);
    else onUnreadable();
  }

  return (
    <Sheet
      actions={
        <>
          <Button onClick={onCancel} variant="secondary">
            Cancel
          </Button>
          <Button busy={busy} disabled={!image} onClick={cutOut}>
            Use photo
          </Button>
        </>
      }
      description="Move it with a finger or the arrow keys, and come closer with two fingers, the wheel or + and −."
      onClose={onCancel}
      open
      title="Crop your photo"
    >
      <div className="flex flex-col items-center gap-4">
        <Frame className={frame} image={image} onChange={setView} ratio={ratio} view={view} />
        {image && view && (
          <ZoomBar onZoom={(zoom) => setView(zoomed(natural(image), ratio, view, zoom))} zoom={view.zoom} />
        )}
      </div>
    </Sheet>
  );
}

function natural(image: HTMLImageElement): Size {
  return { width: image.naturalWidth, height: image.naturalHeight };
}

/** The picture, upright, once the browser has read it. */
function usePicture(file: File, onUnreadable: () => void): HTMLImageElement | null {
  const [image, setImage] = useState<HTMLImageElement | null>(null);
  const giveUp = useEffectEvent(onUnreadable);
  useEffect(() => {
    const url = URL.createObjectURL(file);
    const picture = new Image();
    let left = false;
    picture.src = url;
    picture.decode().then(
      () => !left && setImage(picture),
      () => !left && giveUp(),
    );
    return () => {
      left = true;
      URL.revokeObjectURL(url);
    };
  }, [file]);
  return image;
}

export function cutPicture(image: HTMLImageElement, ratio: number, view: View): Promise<Blob | null> {
  const from = kept(natural(image), ratio, view.zoom);
  const to = cutSize(natural(image), ratio, view.zoom, MAX_SIDE_PX);
  const canvas = document.createElement('canvas');
  canvas.width = to.width;
  canvas.height = to.height;
  const [left, top] = [view.x - from.width / 2, view.y - from.height / 2];
  contextOnWhite(canvas)?.drawImage(image, left, top, from.width, from.height, 0, 0, to.width, to.height);
  return new Promise((done) => canvas.toBlob(done, 'image/jpeg', quality));
}

type FrameProps = {
  image: HTMLImageElement | null;
  ratio: number;
  view: View | null;
  onChange: (view: View) => void;
  className: string;
};

function Frame({ image, ratio, view, onChange, className }: FrameProps) {
  const ref = useRef<HTMLDivElement>(null);
  const fingers = useFingers(ref, (by, scale, at) => {
    if (!image || !view) return;
    const size = natural(image);
    const moved = panned(size, ratio, view, by);
    onChange(scale === 1 ? moved : zoomed(size, ratio, moved, moved.zoom * scale, at));
  });

  function press(event: KeyboardEvent) {
    if (!image || !view) return;
    const next = afterKey(natural(image), ratio, view, event.key);
    if (!next) return;
    event.preventDefault();
    onChange(next);
  }

  const size = image && view && kept(natural(image), ratio, view.zoom);
  return (
    <div
      aria-label="Your photo: arrow keys move it, plus and minus zoom"
      className={cn(
        'relative max-w-full cursor-grab touch-none overflow-hidden rounded-card bg-photo-shade active:cursor-grabbing',
        className,
      )}
      onKeyDown={press}
      ref={ref}
      role="application"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: moved and sized by keys, as its name says.
      tabIndex={0}
      {...fingers}
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
  ArrowLeft: { x: -keyShare, y: 0 },
  ArrowRight: { x: keyShare, y: 0 },
  ArrowUp: { x: 0, y: -keyShare },
  ArrowDown: { x: 0, y: keyShare },
};

function afterKey(size: Size, ratio: number, view: View, key: string): View | undefined {
  const by = arrows[key];
  if (by) return panned(size, ratio, view, by);
  if (key === '+' || key === '=') return zoomed(size, ratio, view, view.zoom * zoomStep);
  if (key === '-') return zoomed(size, ratio, view, view.zoom / zoomStep);
  return undefined;
}

type Spot = { x: number; y: number };
type OnMove = (by: Spot, scale: number, at: Spot) => void;

/** One finger moves, two also zoom, the wheel zooms: all told in shares of the frame. */
function useFingers(ref: { current: HTMLElement | null }, onMove: OnMove) {
  const down = useRef(new Map<number, Spot>());
  const move = useEffectEvent(onMove);

  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      const { left, top, width, height } = element.getBoundingClientRect();
      const at = { x: (event.clientX - left) / width - 0.5, y: (event.clientY - top) / height - 0.5 };
      move({ x: 0, y: 0 }, Math.exp(-event.deltaY / 400), at);
    };
    // React listens passively, and the page would scroll along.
    element.addEventListener('wheel', wheel, { passive: false });
    return () => element.removeEventListener('wheel', wheel);
  }, [ref]);

  function moved(event: PointerEvent<HTMLElement>) {
    if (!down.current.has(event.pointerId)) return;
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    const before = spread([...down.current.values()]);
    down.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const after = spread([...down.current.values()]);
    const by = { x: (before.x - after.x) / width, y: (before.y - after.y) / height };
    const scale = before.apart > 0 && after.apart > 0 ? after.apart / before.apart : 1;
    onMove(by, scale, { x: (after.x - left) / width - 0.5, y: (after.y - top) / height - 0.5 });
  }

  const up = (event: PointerEvent) => down.current.delete(event.pointerId);
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      event.currentTarget.setPointerCapture(event.pointerId);
      down.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    },
    onPointerMove: moved,
    onPointerUp: up,
    onPointerCancel: up,
  };
}

/** The middle of the first two fingers and how far they are apart. */
function spread([one = { x: 0, y: 0 }, other = one]: Spot[]) {
  return {
    x: (one.x + other.x) / 2,
    y: (one.y + other.y) / 2,
    apart: Math.hypot(one.x - other.x, one.y - other.y),
  };
}

function ZoomBar({ zoom, onZoom }: { zoom: number; onZoom: (zoom: number) => void }) {
  return (
    <div className="flex w-full max-w-xs items-center gap-2">
      <IconButton
        disabled={zoom <= 1}
        icon={Minus}
        label="Further away"
        onClick={() => onZoom(zoom / zoomStep)}
      />
      <input
        aria-label="Zoom"
        className="h-11 min-w-0 flex-1 accent-ember"
        max={closest}
        min={1}
        onChange={(event) => onZoom(event.target.valueAsNumber)}
        step={0.01}
        type="range"
        value={zoom}
      />
      <IconButton
        disabled={zoom >= closest}
        icon={Plus}
        label="Closer"
        onClick={() => onZoom(zoom * zoomStep)}
      />
    </div>
  );
}
