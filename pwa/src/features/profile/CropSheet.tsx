import { Suspense } from 'react';
import { lazyWithRetry } from '@/ui';
import type { CroppedPicture } from './crop.ts';

const Cropper = lazyWithRetry(() => import('./Cropper.tsx'));

type CropSheetProps = {
  file: File;
  shape: 'photo' | 'banner';
  /** Called with the cropped picture, the file itself if the browser cannot crop it, or null on cancel. */
  onResult: (picture: CroppedPicture | null) => void;
};

/** Lets the member crop a picture. */
export function CropSheet({ file, shape, onResult }: CropSheetProps) {
  return (
    <Suspense fallback={null}>
      <Cropper
        file={file}
        onCancel={() => onResult(null)}
        onDone={onResult}
        onUnreadable={() => onResult({ bytes: file })}
        shape={shape}
      />
    </Suspense>
  );
}
