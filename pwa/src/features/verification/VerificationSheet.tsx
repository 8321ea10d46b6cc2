import { Camera as CameraIcon, Upload } from 'lucide-react';
import { Suspense, useEffect, useEffectEvent, useState } from 'react';
import type { Verification } from '@/api/types.ts';
import { UploadProgress } from '@/media/UploadProgress.tsx';
import { useSend } from '@/media/useSend.ts';
import { useDb } from '@/offline/store/cached.ts';
import { Button, FailureText, lazyWithRetry, Photo, Sheet, Skeleton, toast, useAction } from '@/ui';
import { PoseArt } from './PoseArt.tsx';
import { requestPose, sendSelfie } from './verification.ts';

const Camera = lazyWithRetry(() => import('@/media/Camera.tsx'));

type VerificationSheetProps = { verification: Verification; onClose: () => void };

/** Asks for a pose, takes the selfie and sends it. */
export default function VerificationSheet({ verification, onClose }: VerificationSheetProps) {
  const { status, pose, instruction } = verification;
  const [request, { error }] = useAction(requestPose, { inline: true });
  const [photo, setPhoto] = useState<Blob | null>(null);

  const requestFirstPose = useEffectEvent(() => {
    if (status !== 'requested') void request();
  });
  useEffect(() => requestFirstPose(), []);

  const isPoseKnown = status === 'requested' && pose && instruction;
  return (
    <Sheet full onClose={onClose} open title="Get verified">
      <FailureText className="mb-4 rounded-control bg-danger-soft px-4 py-3 text-base">{error}</FailureText>
      {isPoseKnown ? (
        <div className="mx-auto flex max-w-md flex-col items-center gap-5">
          {!photo && (
            <div className="flex flex-col items-center gap-3 text-center">
              <PoseArt className="w-36" pose={pose} />
              <p className="font-display text-lg">{instruction}</p>
            </div>
          )}
          {photo ? (
            <SelfieReview onAgain={() => setPhoto(null)} onSent={onClose} photo={photo} />
          ) : (
            <TakeSelfie onPhoto={setPhoto} />
          )}
        </div>
      ) : (
        !error && <Skeleton className="mx-auto h-72 max-w-md rounded-card" />
      )}
    </Sheet>
  );
}

function TakeSelfie({ onPhoto }: { onPhoto: (photo: Blob) => void }) {
  const [camera, setCamera] = useState<'off' | 'on' | 'unavailable'>('off');
  if (camera === 'on') {
    return (
      <Suspense fallback={<Skeleton className="aspect-4/5 w-full rounded-card" />}>
        <Camera onPhoto={onPhoto} onUnavailable={() => setCamera('unavailable')} />
      </Suspense>
    );
  }
  return (
    <div className="flex w-full flex-col gap-3">
      {camera === 'unavailable' && (
        <p className="rounded-control bg-danger-soft px-4 py-3 text-sm" role="alert">
          <span className="block font-semibold">Camera Access Required</span>
          This browser gives us no picture of the camera. Allow camera access, or choose a picture instead.
        </p>
      )}
      <Button block onClick={() => setCamera('on')} size="lg">
        <CameraIcon aria-hidden="true" className="size-5.5" />
        Take a selfie
      </Button>
      <label className="inline-flex min-h-11 items-center justify-center gap-2 rounded-control border border-control bg-surface px-5 py-2 font-semibold transition-colors focus-within:outline-2 focus-within:outline-focus focus-within:outline-offset-2 hover:bg-raised">
        <Upload aria-hidden="true" className="size-5" />
        Choose a picture
        <input
          accept="image/*"
          className="sr-only"
          onChange={(event) => event.target.files?.[0] && onPhoto(event.target.files[0])}
          type="file"
        />
      </label>
      <p className="text-center text-muted text-sm">
        Only the person who compares it sees this picture. It never appears on your profile.
      </p>
    </div>
  );
}

function SelfieReview({ photo, onAgain, onSent }: { photo: Blob; onAgain: () => void; onSent: () => void }) {
  const db = useDb();
  const { progress, failure, send, cancel } = useSend();
  const preview = usePreview(photo);

  const handleSend = () =>
    send(async (...sending) => {
      await sendSelfie(db, photo, ...sending);
      toast({ title: 'Selfie sent', description: 'You will see the badge once it is approved.' });
      onSent();
    });

  return (
    <div className="flex w-full flex-col gap-4">
      <Photo alt="The selfie you are about to send" className="rounded-card" eager src={preview} />
      {progress && <UploadProgress label="Sending the selfie" onCancel={cancel} {...progress} />}
      <FailureText>{failure}</FailureText>
      <div className="grid grid-cols-2 gap-3">
        <Button disabled={progress !== null} onClick={onAgain} variant="secondary">
          Take another
        </Button>
        <Button busy={progress !== null} onClick={handleSend}>
          Send selfie
        </Button>
      </div>
    </div>
  );
}

function usePreview(photo: Blob): string {
  const [url, setUrl] = useState('');
  useEffect(() => {
    const createdUrl = URL.createObjectURL(photo);
    setUrl(createdUrl);
    return () => URL.revokeObjectURL(createdUrl);
  }, [photo]);
  return url;
}
