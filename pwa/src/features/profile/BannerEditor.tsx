import { MessageSquareText, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Me, Photo as PhotoData } from '@/api/types.ts';
import { Button, Photo } from '@/ui';
import { AddTile } from './AddTile.tsx';
import { CropSheet } from './CropSheet.tsx';
import type { CroppedPicture } from './crop.ts';
import { DeleteDialog } from './DeleteDialog.tsx';
import { DescribeDialog } from './DescribeDialog.tsx';
import { deleteMedia } from './profileRequests.ts';
import { UploadTile } from './UploadTile.tsx';
import { useUploads } from './useUploads.ts';

/** Edits the wide picture above the profile. */
export function BannerEditor({ me }: { me: Me }) {
  const banner = me.headerBannerImage;
  const [file, setFile] = useState<File | null>(null);
  const { uploads, add, retry, drop } = useUploads('banner');

  function handleCropped(result: CroppedPicture | null) {
    setFile(null);
    if (result) add(result);
  }

  return (
    <div className="flex flex-col gap-4">
      {banner && (
        <div className="aspect-3/1 overflow-hidden rounded-card">
          <Photo alt={banner.caption || 'Your header banner'} photo={banner} ratio="fill" />
        </div>
      )}
      <ul className="empty:hidden">
        {uploads.map((upload) => (
          <UploadTile
            key={upload.id}
            onDrop={() => drop(upload)}
            onRetry={() => retry(upload)}
            ratio="3/1"
            upload={upload}
          />
        ))}
      </ul>
      {uploads.length === 0 && (
        <AddTile
          className={banner ? 'min-h-20' : 'aspect-3/1'}
          label={banner ? 'Choose another banner' : 'Add a banner'}
          onFiles={([first]) => setFile(first ?? null)}
        />
      )}
      {banner && <BannerActions banner={banner} />}
      {file && <CropSheet file={file} onResult={handleCropped} shape="banner" />}
    </div>
  );
}

function BannerActions({ banner }: { banner: PhotoData }) {
  const [openDialog, setOpenDialog] = useState<'describe' | 'delete' | null>(null);
  const close = () => setOpenDialog(null);
  return (
    <div className="flex flex-wrap gap-3">
      <Button onClick={() => setOpenDialog('describe')} variant="secondary">
        <MessageSquareText aria-hidden="true" className="size-5" />
        Describe
      </Button>
      <Button onClick={() => setOpenDialog('delete')} variant="secondary">
        <Trash2 aria-hidden="true" className="size-5" />
        Delete
      </Button>
      {openDialog === 'describe' && (
        <DescribeDialog
          hint="Describe the photo for people using a screen reader."
          media={banner}
          onClose={close}
          title="Describe your banner"
        />
      )}
      {openDialog === 'delete' && (
        <DeleteDialog onClose={close} onDelete={() => deleteMedia(banner.id)} item="banner" />
      )}
    </div>
  );
}
