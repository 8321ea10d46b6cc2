import { ArrowLeft, ArrowRight, MessageSquareText, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { MAX_ORDER_PHOTOS_IDS } from '@/api/limits.gen.ts';
import type { Me, Photo as PhotoData } from '@/api/types.ts';
import { setMe } from '@/session/session.ts';
import { Badge, cn, IconButton, Photo, showFailure } from '@/ui';
import { AddTile } from './AddTile.tsx';
import { CropSheet } from './CropSheet.tsx';
import type { CroppedPicture } from './crop.ts';
import { move } from './profileDraft.ts';
import { deletePhoto, orderPhotos } from './profileRequests.ts';
import { UploadTiles } from './UploadTiles.tsx';
import { useMediaDialogs } from './useMediaDialogs.tsx';
import { useReorder } from './useReorder.ts';
import { useUploads } from './useUploads.ts';
import { CONSEQUENCE, endsVerification, VerificationEndDialog } from './VerificationEnd.tsx';

/** Edits up to six photos; each change is saved at once. The first photo is the one others see first. */
export function PhotoEditor({ me }: { me: Me }) {
  const order = useOrder(me);
  const { photos, draggedId } = order;
  const added = useNewPhotos(me);
  const free = MAX_ORDER_PHOTOS_IDS - me.photos.length - added.pictures.uploads.length;
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
          <li
            {...order.slotProps(index)}
            className={cn('relative', draggedId === photo.id && 'z-10')}
            key={photo.id}
          >
            <Tile
              dragHandlers={order.dragHandlers(photo.id)}
              isDragged={draggedId === photo.id}
              index={index}
              last={index === photos.length - 1}
              onMove={(to) => order.moveTo(photo.id, to)}
              photo={photo}
              warning={endsVerification(me, idsOf(without(me.photos, photo))) ? CONSEQUENCE : undefined}
            />
          </li>
        ))}
        <UploadTiles {...added.pictures} ratio="4/5" />
        {free > 0 && (
          <li>
            <AddTile
              className="aspect-4/5"
              label="Add a photo"
              multiple
              onFiles={(files) => added.crop(files.slice(0, free))}
            />
          </li>
        )}
      </ul>
      {order.dialog}
      {added.dialog}
    </section>
  );
}

/**
 * Adds photos: `crop` lets the member crop the files one after the other, and each is uploaded. One that would end the
 * verification needs a confirmation.
 */
function useNewPhotos(me: Me) {
  const pictures = useUploads('photos');
  const [toCrop, setToCrop] = useState<File[]>([]);
  const [unconfirmed, setUnconfirmed] = useState<CroppedPicture | null>(null);
  const [next] = toCrop;

  function handleCropped(picture: CroppedPicture | null) {
    setToCrop((files) => files.slice(1));
    if (!picture) return;
    // It becomes the first photo, which was not compared.
    if (me.isVerified && me.photos.length + pictures.uploads.length === 0) setUnconfirmed(picture);
    else pictures.add(picture);
  }

  const dialog = (
    <>
      {unconfirmed && (
        <VerificationEndDialog
          confirm="Add the photo"
          onClose={() => setUnconfirmed(null)}
          onConfirm={() => pictures.add(unconfirmed)}
        />
      )}
      {next && (
        <CropSheet file={next} key={`${next.name} ${toCrop.length}`} onResult={handleCropped} shape="photo" />
      )}
    </>
  );
  return { pictures, crop: setToCrop, dialog };
}

/** The photos in the order shown, which is ahead of the stored one while dragging and saving. */
function useOrder(me: Me) {
  const [order, setOrder] = useState<string[] | null>(null);
  const photos = order ? order.flatMap((id) => me.photos.find((photo) => photo.id === id) ?? []) : me.photos;
  const ids = idsOf(photos);
  const [unconfirmed, setUnconfirmed] = useState<string[] | null>(null);
  const reordered = (id: string, to: number) => move(ids, ids.indexOf(id), to);

  // One request after the other, because two in flight could arrive in reverse order.
  const saving = useRef<Promise<void>>(Promise.resolve());
  const newest = useRef<string[] | null>(null);

  function save(next: string[]) {
    setOrder(next);
    newest.current = next;
    saving.current = saving.current.then(async () => {
      // Superseded by a newer order.
      if (newest.current !== next) return;
      await orderPhotos(next).then(setMe).catch(showFailure);
      if (newest.current === next) setOrder(null);
    });
  }

  function confirmAndSave(next: string[]) {
    setOrder(next);
    if (endsVerification(me, next)) setUnconfirmed(next);
    else save(next);
  }

  const reorder = useReorder({
    ids,
    onOver: (id, to) => setOrder(reordered(id, to)),
    onDrop: () => order && confirmAndSave(order),
  });
  const dialog = unconfirmed && (
    <VerificationEndDialog
      confirm="Change the first photo"
      onClose={() => {
        setUnconfirmed(null);
        setOrder(null);
      }}
      onConfirm={() => save(unconfirmed)}
    />
  );
  return {
    photos,
    dialog,
    ...reorder,
    moveTo: (id: string, to: number) => confirmAndSave(reordered(id, to)),
  };
}

const idsOf = (photos: readonly PhotoData[]) => photos.map(({ id }) => id);
const without = (photos: readonly PhotoData[], { id }: PhotoData) =>
  photos.filter((photo) => photo.id !== id);

type TileProps = {
  photo: PhotoData;
  /** A consequence of deleting the photo. */
  warning: string | undefined;
  index: number;
  last: boolean;
  isDragged: boolean;
  dragHandlers: ReturnType<ReturnType<typeof useReorder>['dragHandlers']>;
  onMove: (to: number) => void;
};

function Tile({ photo, warning, index, last, isDragged, dragHandlers, onMove }: TileProps) {
  const number = index + 1;
  return (
    <>
      <div
        {...dragHandlers}
        className={cn(
          'cursor-grab touch-pan-y select-none overflow-hidden rounded-card [-webkit-touch-callout:none]',
          isDragged && 'pointer-events-none cursor-grabbing shadow-float',
        )}
        data-testid={isDragged ? 'dragged-photo' : undefined}
      >
        <Photo
          alt={photo.caption ? `Photo ${number}: ${photo.caption}` : `Photo ${number}`}
          photo={{ url: photo.thumbUrl, placeholder: photo.placeholder }}
        />
      </div>
      {!isDragged && (
        <PhotoActions last={last} number={number} onMove={onMove} photo={photo} warning={warning} />
      )}
    </>
  );
}

type PhotoActionsProps = Pick<TileProps, 'photo' | 'warning' | 'last' | 'onMove'> & { number: number };

function PhotoActions({ photo, warning, number, last, onMove }: PhotoActionsProps) {
  const { openDescribe, openDelete, dialog } = useMediaDialogs({
    media: photo,
    item: 'photo',
    title: `Describe photo ${number}`,
    hint: 'Describe the photo for people using a screen reader: “Maya laughing on a windy beach”.',
    warning,
    onDelete: () => deletePhoto(photo.id),
  });
  const button = (icon: typeof Trash2, label: string, onClick: () => void, className?: string) => (
    <IconButton className={className} icon={icon} label={label} onClick={onClick} tone="photo" />
  );
  return (
    <>
      <div className="pointer-events-none absolute inset-0 flex flex-col justify-between p-1.5 [&_button]:pointer-events-auto">
        <div className="flex items-start justify-between">
          {number === 1 ? <Badge className="m-1 shadow-float">First</Badge> : <span />}
          {button(Trash2, `Delete photo ${number}`, openDelete)}
        </div>
        <div className="flex justify-between">
          {button(
            ArrowLeft,
            `Move photo ${number} earlier`,
            () => onMove(number - 2),
            cn(number === 1 && 'invisible'),
          )}
          {button(MessageSquareText, `Describe photo ${number}`, openDescribe)}
          {button(ArrowRight, `Move photo ${number} later`, () => onMove(number), cn(last && 'invisible'))}
        </div>
      </div>
      {dialog}
    </>
  );
}
