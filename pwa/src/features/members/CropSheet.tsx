import { lazy, Suspense } from 'react';

const Cropper = lazy(() => import('./Cropper.tsx'));

type CropSheetProps = {
  file: File;
  shape: 'photo' | 'banner';
  /** The cut picture; the file itself where the browser cannot read it; null when the member left. */
  onResult: (picture: Blob | null) => void;
};

/** Asks what of a picture is to be shown. */
export function CropSheet({ file, shape, onResult }: CropSheetProps) {
  return (
    <Suspense fallback={null}>
      <Cropper
        file={file}
        onCancel={() => onResult(null)}
        onDone={onResult}
        onUnreadable={() => onResult(file)}
        shape={shape}
      />
    </Suspense>
  );
}
