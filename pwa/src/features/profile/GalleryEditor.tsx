import { MessageSquareText, Trash2, Video } from 'lucide-react';
import { Suspense, useState } from 'react';
import { MAX_ME_GALLERY_IMAGES, MAX_ME_GALLERY_VIDEOS } from '@/api/limits.gen.ts';
import type { Me, Photo as PhotoData, Recording } from '@/api/types.ts';
import { type RecordedClip, VideoPlayer } from '@/media/index.ts';
import type { Send } from '@/media/useSend.ts';
import { useDb } from '@/offline/store/cached.ts';
import { refreshMe } from '@/session/session.ts';
import { Button, IconButton, lazyWithRetry, Photo, Skeleton } from '@/ui';
import { AddTile } from './AddTile.tsx';
import { recordingPaths, uploadChosenVideo, uploadGalleryVideo } from './profileUpload.ts';
import { ResumedUpload, useResumedUpload } from './ResumedUpload.tsx';
import { SAVE_LABELS } from './saveLabels.ts';
import { UploadTiles } from './UploadTiles.tsx';
import { useMediaDialogs } from './useMediaDialogs.tsx';
import { useUploads } from './useUploads.ts';
import { VideoFileButton } from './VideoFileButton.tsx';

const VideoRecorder = lazyWithRetry(() => import('@/media/VideoRecorder.tsx'));

/** Edits the gallery: pictures and videos besides the profile photos. */
export function GalleryEditor({ me }: { me: Me }) {
  return (
    <div className="flex flex-col gap-8">
      <Images images={me.galleryImages} />
      <Videos videos={me.galleryVideos} />
    </div>
  );
}

function Images({ images }: { images: PhotoData[] }) {
  const pictures = useUploads('gallery');
  const free = MAX_ME_GALLERY_IMAGES - images.length - pictures.uploads.length;
  return (
    <section aria-labelledby="gallery-pictures">
      <h3 className="mb-3 font-display font-semibold text-lg" id="gallery-pictures">
        Pictures
      </h3>
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        {images.map((image, index) => (
          <li className="relative overflow-hidden rounded-card" key={image.id}>
            <Photo
              alt={`Picture ${index + 1}${image.caption && `: ${image.caption}`}`}
              photo={{ url: image.thumbUrl, placeholder: image.placeholder }}
              ratio="1/1"
            />
            <MediaActions item="picture" media={image} number={index + 1} />
          </li>
        ))}
        <UploadTiles {...pictures} ratio="1/1" />
        {free > 0 && (
          <li>
            <AddTile
              className="aspect-square"
              label="Add pictures"
              multiple
              onFiles={(files) => {
                for (const bytes of files.slice(0, free)) pictures.add({ bytes });
              }}
            />
          </li>
        )}
      </ul>
    </section>
  );
}

function Videos({ videos }: { videos: Recording[] }) {
  const db = useDb();
  const [recording, setRecording] = useState(false);
  const resumed = useResumedUpload(recordingPaths.galleryVideo);

  const sendBy =
    (upload: typeof uploadGalleryVideo) =>
    async (clip: Omit<RecordedClip, 'url'>, ...sending: Parameters<Send>) => {
      await upload(db, clip, ...sending);
      await refreshMe();
      setRecording(false);
    };

  return (
    <section aria-labelledby="gallery-videos">
      <h3 className="mb-3 font-display font-semibold text-lg" id="gallery-videos">
        Videos
      </h3>
      <ul className="mb-3 grid grid-cols-2 gap-3 empty:hidden">
        {videos.map((video, index) => (
          <li className="relative" key={video.id}>
            <VideoPlayer label={`video ${index + 1}`} recording={video} />
            <MediaActions item="video" media={video} number={index + 1} />
          </li>
        ))}
      </ul>
      {resumed && <ResumedUpload label="Adding your video" upload={resumed} />}
      {recording && (
        <Suspense fallback={<Skeleton className="aspect-4/5" />}>
          <VideoRecorder labels={SAVE_LABELS} onSend={sendBy(uploadGalleryVideo)} />
        </Suspense>
      )}
      {!recording && !resumed && videos.length < MAX_ME_GALLERY_VIDEOS && (
        <div className="flex flex-wrap items-start gap-3">
          <Button onClick={() => setRecording(true)} variant="secondary">
            <Video aria-hidden="true" className="size-5" />
            Record a video
          </Button>
          <VideoFileButton onFile={sendBy(uploadChosenVideo)} />
        </div>
      )}
    </section>
  );
}

type MediaActionsProps = { media: PhotoData | Recording; item: 'picture' | 'video'; number: number };

function MediaActions({ media, item, number }: MediaActionsProps) {
  const { openDescribe, openDelete, dialog } = useMediaDialogs({
    media,
    item,
    title: `Describe ${item} ${number}`,
    hint: "Describe it for people who can't see or hear it.",
  });
  return (
    <>
      <div className="pointer-events-none absolute inset-x-1.5 top-1.5 flex justify-between [&>button]:pointer-events-auto">
        <IconButton
          icon={MessageSquareText}
          label={`Describe ${item} ${number}`}
          onClick={openDescribe}
          tone="photo"
        />
        <IconButton icon={Trash2} label={`Delete ${item} ${number}`} onClick={openDelete} tone="photo" />
      </div>
      {dialog}
    </>
  );
}
