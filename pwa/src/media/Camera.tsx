import { Camera as CameraIcon } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { Button, useAction } from '@/ui';
import { CameraPreview } from './CameraPreview.tsx';
import { captureStill } from './still.ts';

type CameraProps = {
  onPhoto: (photo: Blob) => void;
  /** Called when there is no camera, its use is denied, or the browser gives no picture of it. */
  onUnavailable: () => void;
};

/** Takes a picture with the front camera, which is on only while this is mounted. */
export default function Camera({ onPhoto, onUnavailable }: CameraProps) {
  const [stream, setStream] = useState<MediaStream | null>(null);
  const reportUnavailable = useEffectEvent(onUnavailable);

  useEffect(() => {
    let unmounted = false;
    let opened: MediaStream | null = null;
    const close = () => {
      for (const track of opened?.getTracks() ?? []) track.stop();
    };
    const constraints = { video: { facingMode: 'user', width: { ideal: 1080 }, height: { ideal: 1350 } } };
    Promise.resolve(navigator.mediaDevices?.getUserMedia(constraints)).then(
      (granted) => {
        opened = granted ?? null;
        if (unmounted) close();
        else if (opened) setStream(opened);
        else reportUnavailable();
      },
      () => !unmounted && reportUnavailable(),
    );
    return () => {
      unmounted = true;
      close();
    };
  }, []);

  const [takePicture, { isBusy }] = useAction(async () => {
    if (!stream) return;
    const photo = await captureStill(stream);
    // A browser that resists fingerprinting gives no picture, however often it is asked.
    if (photo) onPhoto(photo);
    else onUnavailable();
  });

  return (
    <div className="mx-auto flex w-full max-w-sm flex-col gap-4">
      <div className="relative grid aspect-4/5 place-items-center overflow-hidden rounded-card bg-photo-shade text-on-photo">
        {stream ? <CameraPreview stream={stream} /> : <p role="status">Waiting for the camera…</p>}
      </div>
      <Button block busy={isBusy} disabled={!stream} onClick={takePicture} size="lg">
        <CameraIcon aria-hidden="true" className="size-5.5" />
        Take the picture
      </Button>
    </div>
  );
}
