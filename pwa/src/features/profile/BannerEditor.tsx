import { MessageSquareText, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Me, Photo as PhotoData } from '@/api/types.ts';
import { Button, Photo } from '@/ui';
import { AddTile } from './AddTile.tsx';
import { CropSheet } from './CropSheet.tsx';
import type { CroppedPicture } from './crop.ts';
import { UploadTiles } from './UploadTiles.tsx';
import { useMediaDialogs } from './useMediaDialogs.tsx';
import { useUploads } from './useUploads.ts';

/** Edits the wide picture above the profile. */
export function BannerEditor({ me }: { me: Me }) {
  const banner = me.headerBannerImage;
  const [file, setFile] = useState<File | null>(null);
  const pictures = useUploads('banner');
  const { uploads, add } = pictures;

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
        <UploadTiles {...pictures} ratio="3/1" />
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
  const { openDescribe, openDelete, dialog } = useMediaDialogs({
    media: banner,
    item: 'banner',
    title: 'Describe your banner',
    hint: 'Describe the photo for people using a screen reader.',
  });
  return (
    <div className="flex flex-wrap gap-3">
      <Button onClick={openDescribe} variant="secondary">
        <MessageSquareText aria-hidden="true" className="size-5" />
        Describe
      </Button>
      <Button onClick={openDelete} variant="secondary">
        <Trash2 aria-hidden="true" className="size-5" />
        Delete
      </Button>
      {dialog}
    </div>
  );
}
