import { RotateCcw, X } from 'lucide-react';
import { UploadProgress } from '@/media/UploadProgress.tsx';
import { cn, IconButton, Photo } from '@/ui';
import type { Upload, Uploads } from './useUploads.ts';

type Ratio = '4/5' | '1/1' | '3/1';

type UploadTilesProps = Pick<Uploads, 'uploads' | 'retry' | 'drop'> & { ratio: Ratio };

/** The pictures that are being added to a part of the profile, as items of its list. */
export const UploadTiles = ({ uploads, retry, drop, ratio }: UploadTilesProps) =>
  uploads.map((upload) => (
    <UploadTile
      key={upload.id}
      onDrop={() => drop(upload)}
      onRetry={() => retry(upload)}
      ratio={ratio}
      upload={upload}
    />
  ));

type UploadTileProps = { upload: Upload; ratio: Ratio; onRetry: () => void; onDrop: () => void };

/** A picture being uploaded, which can be cancelled; after a failure it shows the reason and can be retried. */
function UploadTile({ upload, ratio, onRetry, onDrop }: UploadTileProps) {
  const { preview, share, isWaiting, failure } = upload;
  return (
    <li className="relative overflow-hidden rounded-card">
      <Photo alt="" className="opacity-60" ratio={ratio} src={preview} />
      <div
        className={cn(
          'absolute inset-0 flex flex-col justify-end p-2 text-on-photo',
          (failure || isWaiting) && 'bg-scrim',
        )}
      >
        {failure ? (
          <p className="px-1 text-sm" role="alert">
            {failure}
          </p>
        ) : (
          <UploadProgress className="px-1" isWaiting={isWaiting} label="Uploading photo" share={share} />
        )}
        <div className="flex flex-row-reverse justify-between">
          <IconButton icon={X} label="Leave it out" onClick={onDrop} tone="photo" />
          {failure && <IconButton icon={RotateCcw} label="Try again" onClick={onRetry} tone="photo" />}
        </div>
      </div>
    </li>
  );
}
