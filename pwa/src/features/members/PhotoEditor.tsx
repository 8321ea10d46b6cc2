import { ArrowLeft, ArrowRight, ImagePlus, Trash2 } from 'lucide-react';
import { type PointerEvent, useRef, useState } from 'react';
import { ApiError } from '@/api/client.ts';
import type { Me, Photo as PhotoData } from '@/api/types.ts';
import { refreshMe, setMe } from '@/app/session.ts';
import { Button, cn, Dialog, IconButton, Photo, toast } from '@/ui';
import { move } from './draft.ts';
import { deletePhoto, orderPhotos } from './requests.ts';
import { uploadPhoto } from './upload.ts';

const mostPhotos = 6;

type Upload = { preview: string; share: number };

function complain(failure: unknown): void {
  const description = failure instanceof ApiError ? failure.detail : 'Please try again.';
  toast({ title: 'Error', description, variant: 'destructive' });
}

/** Up to six photos, saved as they change; the first is the one others see first. */
export function PhotoEditor({ me }: { me: Me }) {
  const [order, setOrder] = useState<string[] | null>(null);
  const [uploads, setUploads] = useState<Upload[]>([]);
  const [leaving, setLeaving] = useState<PhotoData | null>(null);
  const photos = order ? order.flatMap((id) => me.photos.find((photo) => photo.id === id) ?? []) : me.photos;
  const free = mostPhotos - me.photos.length - uploads.length;

  async function add(files: File[]) {
    for (const file of files.slice(0, free)) {
      const preview = URL.createObjectURL(file);
      const update = (share: number) =>
        setUploads((all) => [...all.filter((one) => one.preview !== preview), { preview, share }]);
      update(0);
      try {
        await uploadPhoto(file, update);
        await refreshMe();
      } catch (failure) {
        complain(failure);
      }
      setUploads((all) => all.filter((one) => one.preview !== preview));
      URL.revokeObjectURL(preview);
    }
  }

  async function save(ids: string[]) {
    setOrder(ids);
    try {
      await setMe(await orderPhotos(ids));
    } catch (failure) {
      complain(failure);
    }
    setOrder(null);
  }

  async function remove(photo: PhotoData) {
    setLeaving(null);
    try {
      await deletePhoto(photo.id);
      await refreshMe();
    } catch (failure) {
      complain(failure);
    }
  }

  const ids = photos.map((photo) => photo.id);
  return (
    <fieldset>
      <legend className="font-display font-semibold text-lg">Photos</legend>
      <p className="mb-3 text-muted text-sm">
        Up to six. The first one is what others see first; drag to reorder.
      </p>
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        {photos.map((photo, index) => (
          <Tile
            index={index}
            key={photo.id}
            last={index === photos.length - 1}
            onDelete={() => setLeaving(photo)}
            onDrop={() => void save(ids)}
            onMove={(to) => void save(move(ids, index, to))}
            onOver={(to) => setOrder(move(ids, index, to))}
            photo={photo}
          />
        ))}
        {uploads.map((upload) => (
          <li className="relative overflow-hidden rounded-card" key={upload.preview}>
            <Photo alt="" className="opacity-70" src={upload.preview} />
            <progress
              aria-label="Uploading photo"
              className="absolute inset-x-3 bottom-3 h-2 w-[calc(100%-24px)] accent-ember"
              max={1}
              value={upload.share}
            />
          </li>
        ))}
        {free > 0 && <AddTile onFiles={(files) => void add(files)} />}
      </ul>
      <Dialog
        actions={
          <>
            <Button onClick={() => setLeaving(null)} variant="secondary">
              Keep it
            </Button>
            <Button onClick={() => leaving && void remove(leaving)} variant="danger">
              Delete photo
            </Button>
          </>
        }
        description="It is removed from your profile and from Heartward."
        onClose={() => setLeaving(null)}
        open={leaving !== null}
        title="Delete this photo?"
      />
    </fieldset>
  );
}

function AddTile({ onFiles }: { onFiles: (files: File[]) => void }) {
  return (
    <li>
      <label className="flex aspect-4/5 w-full flex-col items-center justify-center gap-2 rounded-card border-2 border-control border-dashed bg-surface p-3 text-center font-semibold text-ember-strong text-sm transition-colors focus-within:outline-2 focus-within:outline-focus hover:bg-ember-soft">
        <ImagePlus aria-hidden="true" className="size-7" strokeWidth={1.75} />
        Add a photo
        <input
          accept="image/*"
          className="sr-only"
          multiple
          onChange={(event) => {
            onFiles([...(event.target.files ?? [])]);
            event.target.value = '';
          }}
          type="file"
        />
      </label>
    </li>
  );
}

type TileProps = {
  photo: PhotoData;
  index: number;
  last: boolean;
  onDelete: () => void;
  onMove: (to: number) => void;
  /** Dragged over another place; nothing is saved before onDrop. */
  onOver: (to: number) => void;
  onDrop: () => void;
};

function Tile({ photo, index, last, onDelete, onMove, onOver, onDrop }: TileProps) {
  const [dragging, setDragging] = useState(false);
  const moved = useRef(false);
  const alone = index === 0 && last;

  function drag(event: PointerEvent) {
    if (!dragging) return;
    const under = document
      .elementFromPoint(event.clientX, event.clientY)
      ?.closest<HTMLElement>('[data-place]');
    const to = Number(under?.dataset.place ?? index);
    if (to === index) return;
    moved.current = true;
    onOver(to);
  }

  function drop() {
    setDragging(false);
    if (moved.current) onDrop();
    moved.current = false;
  }

  return (
    <li
      className={cn(
        'relative overflow-hidden rounded-card',
        dragging && 'opacity-80 outline-2 outline-ember',
      )}
      data-place={index}
    >
      <div
        className="cursor-grab touch-none active:cursor-grabbing"
        onPointerCancel={drop}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setDragging(true);
        }}
        onPointerMove={drag}
        onPointerUp={drop}
      >
        <Photo alt={`Photo ${index + 1}`} photo={{ url: photo.thumbUrl, placeholder: photo.placeholder }} />
      </div>
      <div className="absolute inset-x-0 bottom-0 flex justify-between p-1.5">
        <span className={cn('flex gap-1', alone && 'invisible')}>
          <IconButton
            disabled={index === 0}
            icon={ArrowLeft}
            label={`Move photo ${index + 1} earlier`}
            onClick={() => onMove(index - 1)}
            tone="photo"
          />
          <IconButton
            disabled={last}
            icon={ArrowRight}
            label={`Move photo ${index + 1} later`}
            onClick={() => onMove(index + 1)}
            tone="photo"
          />
        </span>
        <IconButton icon={Trash2} label={`Delete photo ${index + 1}`} onClick={onDelete} tone="photo" />
      </div>
    </li>
  );
}
