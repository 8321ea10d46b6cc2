import { Heart } from 'lucide-react';
import type { ReactNode } from 'react';
import type { PublicMember } from '@/api/types.ts';
import { AudioPlayer, VideoPlayer } from '@/media/index.ts';
import { cn, IconButton, Photo } from '@/ui';
import type { LikeTarget } from './MemberParts.tsx';

type PhotoFrameProps = {
  member: PublicMember;
  index: number;
  eager?: boolean;
  onLike?: (target: LikeTarget) => void;
};

/** One photo, with a button to like it. */
export function PhotoFrame({ member, index, eager, onLike }: PhotoFrameProps) {
  const photo = member.photos[index];
  if (!photo) return null;
  const altText = photo.caption || `${member.firstName}, photo ${index + 1}`;
  return (
    <div className="relative w-full self-start overflow-hidden rounded-card">
      <Photo alt={altText} eager={eager} photo={photo} />
      {onLike && (
        <IconButton
          className="absolute inset-e-3 bottom-3"
          icon={Heart}
          label={`Like photo ${index + 1}`}
          onClick={() => onLike({ photo })}
          tone="surface"
        />
      )}
    </div>
  );
}

/** The picture of the profile's head, if there is one. */
export function Banner({
  member,
  className,
}: {
  member: Pick<PublicMember, 'headerBannerImage'>;
  className?: string;
}) {
  const banner = member.headerBannerImage;
  if (!banner) return null;
  return (
    <div className={cn('aspect-3/1 max-h-44 w-full overflow-hidden rounded-card', className)}>
      <Photo alt={banner.caption} eager photo={banner} ratio="fill" />
    </div>
  );
}

/** Returns the photos after the first. */
export function photosOf(member: PublicMember, onLike?: PhotoFrameProps['onLike']): ReactNode[] {
  return member.photos
    .slice(1)
    .map((photo, index) => <PhotoFrame index={index + 1} key={photo.id} member={member} onLike={onLike} />);
}

/** The voice and video greetings. */
export function Greetings({ member }: { member: PublicMember }) {
  const { audioGreeting, videoGreeting, firstName } = member;
  return (
    <>
      {audioGreeting && (
        <section className="card p-5">
          <h2 className="mb-3 font-display font-semibold text-lg">Hear {firstName}</h2>
          <AudioPlayer label={`${firstName}’s voice greeting`} recording={audioGreeting} />
        </section>
      )}
      {videoGreeting && (
        <section className="card p-5">
          <h2 className="mb-3 font-display font-semibold text-lg">Meet {firstName}</h2>
          <VideoPlayer
            className="mx-auto w-full max-w-80"
            label={`${firstName}’s video greeting`}
            recording={videoGreeting}
          />
        </section>
      )}
    </>
  );
}

/** The gallery's pictures and videos. */
export function Gallery({ member }: { member: PublicMember }) {
  const { galleryImages, galleryVideos, firstName } = member;
  if (galleryImages.length + galleryVideos.length === 0) return null;
  return (
    <section aria-labelledby="gallery-title">
      <h2 className="mb-3 font-display font-semibold text-lg" id="gallery-title">
        From {firstName}’s life
      </h2>
      <div className="grid grid-cols-2 gap-3">
        {galleryVideos.map((video, index) => (
          <VideoPlayer key={video.id} label={`video ${index + 1} of ${firstName}`} recording={video} />
        ))}
        {galleryImages.map((image, index) => (
          <Photo
            alt={image.caption || `Picture ${index + 1} from ${firstName}’s life`}
            className="self-start rounded-card"
            key={image.id}
            photo={image}
            ratio="1/1"
          />
        ))}
      </div>
    </section>
  );
}
