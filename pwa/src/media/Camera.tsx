import { Camera as CameraIcon } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { Button } from '@/ui';
import { Mirror } from './Mirror.tsx';
import { stillOf } from './still.ts';

type CameraProps = {
  onPhoto: (photo: Blob) => void;
  /** No camera, or not allowed: the screen offers another way. */
  onUnavailable: () => void;
};

/** One picture with the front camera, which is on only while this is shown. */
export default function Camera({ onPhoto, onUnavailable }: CameraProps) {
  const [stream, setStream] = useState<MediaStream | null>(null);
  const [busy, setBusy] = useState(false);
  const giveUp = useEffectEvent(onUnavailable);

  useEffect(() => {
    let left = false;
    let opened: MediaStream | null = null;
    const close = () => {
      for (const track of opened?.getTracks() ?? []) track.stop();
    };
    const wanted = { video: { facingMode: 'user', width: { ideal: 1080 }, height: { ideal: 1350 } } };
    Promise.resolve(navigator.mediaDevices?.getUserMedia(wanted)).then(
      (given) => {
        opened = given ?? null;
        if (left) close();
        else if (opened) setStream(opened);
        else giveUp();
      },
      () => !left && giveUp(),
    );
    return () => {
      left = true;
      close();
    };
  }, []);

  async function take() {
    if (!stream) return;
    setBusy(true);
    const photo = await stillOf(stream);
    setBusy(false);
    if (photo) onPhoto(photo);
  }

  return (
    <div className="mx-auto flex w-full max-w-sm flex-col gap-4">
      <div className="relative grid aspect-4/5 place-items-center overflow-hidden rounded-card bg-photo-shade text-on-photo">
        {stream ? <Mirror stream={stream} /> : <p role="status">Waiting for the camera…</p>}
      </div>
      <Button block busy={busy} disabled={!stream} onClick={take} size="lg">
        <CameraIcon aria-hidden="true" className="size-5.5" strokeWidth={1.75} />
        Take the picture
      </Button>
    </div>
  );
}
