import { RotateCcw, X } from 'lucide-react';
import { IconButton, Photo } from '@/ui';
import type { Upload } from './useUploads.ts';

type UploadTileProps = {
  upload: Upload;
  ratio: '4/5' | '1/1' | '3/1';
  onRetry: () => void;
  onDrop: () => void;
};

/** A picture being uploaded; after a failure it shows the reason and can be retried. */
export function UploadTile({ upload, ratio, onRetry, onDrop }: UploadTileProps) {
  const { preview, share, failure } = upload;
  return (
    <li className="relative overflow-hidden rounded-card">
      <Photo alt="" className="opacity-60" ratio={ratio} src={preview} />
      {failure ? (
        <div className="absolute inset-0 flex flex-col justify-end bg-scrim p-2 text-on-photo">
          <p className="px-1 text-sm" role="alert">
            {failure}
          </p>
          <div className="flex justify-between">
            <IconButton icon={RotateCcw} label="Try again" onClick={onRetry} tone="photo" />
            <IconButton icon={X} label="Leave it out" onClick={onDrop} tone="photo" />
          </div>
        </div>
      ) : (
        <progress
          aria-label="Uploading photo"
          className="absolute inset-x-3 bottom-3 h-2 w-[calc(100%-24px)] accent-ember"
          max={1}
          value={share}
        />
      )}
    </li>
  );
}
