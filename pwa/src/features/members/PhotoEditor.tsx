import { ArrowLeft, ArrowRight, MessageSquareText, Trash2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { ApiError } from '@/api/client.ts';
import type { Me, Photo as PhotoData } from '@/api/types.ts';
import { setMe } from '@/app/session.ts';
import { Badge, cn, IconButton, Photo, toast } from '@/ui';
import { AddTile } from './AddTile.tsx';
import { DeleteDialog } from './DeleteDialog.tsx';
import { DescribeDialog } from './DescribeDialog.tsx';
import { move } from './draft.ts';
import { deletePhoto, orderPhotos } from './requests.ts';
import { UploadTile } from './UploadTile.tsx';
import { uploadPhoto } from './upload.ts';
import { useReorder } from './useReorder.ts';
import { useUploads } from './useUploads.ts';

const Cropper = lazy(() => import('./Cropper.tsx'));

export const mostPhotos = 6;

/** Up to six photos, saved as they change; the first is the one others see first. */
export function PhotoEditor({ me }: { me: Me }) {
  const [order, setOrder] = useState<string[] | null>(null);
  const [toCrop, setToCrop] = useState<File[]>([]);
  const { uploads, add, retry, drop } = useUploads(uploadPhoto);
  const photos = order ? order.flatMap((id) => me.photos.find((photo) => photo.id === id) ?? []) : me.photos;
  const ids = photos.map((photo) => photo.id);
  const free = mostPhotos - me.photos.length - uploads.length;
  const { holding, grip } = useReorder({
    ids,
    onOver: (id, to) => setOrder(move(ids, ids.indexOf(id), to)),
    onDrop: () => order && void save(order),
  });

  async function save(next: string[]) {
    setOrder(next);
    try {
      await setMe(await orderPhotos(next));
    } catch (failure) {
      const description = failure instanceof ApiError ? failure.detail : 'Please try again.';
      toast({ title: 'Error', description, variant: 'destructive' });
    }
    setOrder(null);
  }

  const [next] = toCrop;
  function cropped(result: Blob | null) {
    setToCrop((files) => files.slice(1));
    if (result) void add(result);
  }

  return (
    <section aria-labelledby="photos-title">
      <h3 className="font-display font-semibold text-lg" id="photos-title">
        Photos
      </h3>
      <p className="mb-3 text-muted text-sm">
        Up to six. The first one is what others see first; drag to reorder.
      </p>
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        {photos.map((photo, index) => (
          <li className={cn('relative', holding === photo.id && 'z-10')} data-place={index} key={photo.id}>
            <Tile
              grip={grip(photo.id)}
              held={holding === photo.id}
              index={index}
              last={index === photos.length - 1}
              onMove={(to) => void save(move(ids, index, to))}
              photo={photo}
            />
          </li>
        ))}
        {uploads.map((upload) => (
          <UploadTile
            key={upload.id}
            onDrop={() => drop(upload)}
            onRetry={() => void retry(upload)}
            ratio="4/5"
            upload={upload}
          />
        ))}
        {free > 0 && (
          <li>
            <AddTile
              className="aspect-4/5"
              label="Add a photo"
              multiple
              onFiles={(files) => setToCrop(files.slice(0, free))}
            />
          </li>
        )}
      </ul>
      {next && (
        <Suspense fallback={null}>
          <Cropper
            file={next}
            key={`${next.name} ${toCrop.length}`}
            onCancel={() => cropped(null)}
            onDone={cropped}
            onUnreadable={() => cropped(next)}
            shape="photo"
          />
        </Suspense>
      )}
    </section>
  );
}

type TileProps = {
  photo: PhotoData;
  index: number;
  last: boolean;
  held: boolean;
  grip: ReturnType<ReturnType<typeof useReorder>['grip']>;
  onMove: (to: number) => void;
};

function Tile({ photo, index, last, held, grip, onMove }: TileProps) {
  const [asking, setAsking] = useState<'describe' | 'delete' | null>(null);
  const number = index + 1;
  const close = () => setAsking(null);
  return (
    <>
      <div
        {...grip}
        className={cn(
          'cursor-grab touch-pan-y select-none overflow-hidden rounded-card [-webkit-touch-callout:none]',
          held && 'pointer-events-none cursor-grabbing shadow-float',
        )}
        data-testid={held ? 'held-photo' : undefined}
      >
        <Photo
          alt={photo.caption ? `Photo ${number}: ${photo.caption}` : `Photo ${number}`}
          photo={{ url: photo.thumbUrl, placeholder: photo.placeholder }}
        />
      </div>
      <div
        className={cn(
          'pointer-events-none absolute inset-0 flex flex-col justify-between p-1.5',
          held && 'hidden',
        )}
      >
        <div className="flex items-start justify-between [&>button]:pointer-events-auto">
          {index === 0 ? <Badge className="m-1 shadow-float">First</Badge> : <span />}
          <IconButton
            icon={Trash2}
            label={`Delete photo ${number}`}
            onClick={() => setAsking('delete')}
            tone="photo"
          />
        </div>
        <div className="flex justify-between [&>button]:pointer-events-auto">
          <IconButton
            className={cn(index === 0 && 'invisible')}
            icon={ArrowLeft}
            label={`Move photo ${number} earlier`}
            onClick={() => onMove(index - 1)}
            tone="photo"
          />
          <IconButton
            icon={MessageSquareText}
            label={`Describe photo ${number}`}
            onClick={() => setAsking('describe')}
            tone="photo"
          />
          <IconButton
            className={cn(last && 'invisible')}
            icon={ArrowRight}
            label={`Move photo ${number} later`}
            onClick={() => onMove(index + 1)}
            tone="photo"
          />
        </div>
      </div>
      {asking === 'describe' && (
        <DescribeDialog
          hint="What is to be seen, for those who listen instead: “Maya laughing on a windy beach”."
          media={photo}
          onClose={close}
          title={`Describe photo ${number}`}
        />
      )}
      {asking === 'delete' && (
        <DeleteDialog onClose={close} onDelete={() => deletePhoto(photo.id)} what="photo" />
      )}
    </>
  );
}
