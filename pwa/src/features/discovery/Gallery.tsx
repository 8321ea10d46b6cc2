import { Images, type LucideIcon, MessageCircleHeart, Mic, Video } from 'lucide-react';
import { Suspense, useId, useState } from 'react';
import type { Photo as PhotoType, PublicMember } from '@/api/types.ts';
import { cn, IconButton, lazyWithRetry, Photo, Skeleton } from '@/ui';
import type { LikeTarget } from './LikeSheet.tsx';

const Recordings = lazyWithRetry(() => import('./CandidateRecordings.tsx'));

type Kind = 'photos' | 'video' | 'voice';
const kinds: { kind: Kind; label: string; icon: LucideIcon }[] = [
  { kind: 'photos', label: 'Photos', icon: Images },
  { kind: 'video', label: 'Video', icon: Video },
  { kind: 'voice', label: 'Voice', icon: Mic },
];

type GalleryProps = { member: PublicMember; onLike: (target: LikeTarget) => void };

/** A member's photos, videos and voice greeting: three buttons that each open a section below. */
export function Gallery({ member, onLike }: GalleryProps) {
  const [open, setOpen] = useState<Kind | null>(null);
  const id = useId();
  const videos = [...(member.videoGreeting ? [member.videoGreeting] : []), ...member.galleryVideos];
  const counts: Record<Kind, number> = {
    photos: member.photos.length + member.galleryImages.length,
    video: videos.length,
    voice: member.audioGreeting ? 1 : 0,
  };
  const name = member.firstName;
  return (
    <section>
      <div className="grid grid-cols-3 gap-2">
        {kinds.map(({ kind, label, icon: Icon }) => (
          <button
            aria-controls={open === kind ? id : undefined}
            aria-expanded={open === kind}
            className={cn(
              'flex min-h-11 items-center justify-center gap-2 rounded-control border px-2 font-semibold text-sm transition-colors',
              open === kind
                ? 'border-ember bg-ember-soft text-ember-strong'
                : 'border-control bg-surface hover:bg-raised',
              counts[kind] === 0 && open !== kind && 'text-muted',
            )}
            key={kind}
            onClick={() => setOpen(open === kind ? null : kind)}
            type="button"
          >
            <Icon aria-hidden="true" className="size-5 shrink-0" />
            {label}
          </button>
        ))}
      </div>
      {open && (
        <div className="mt-3" id={id}>
          {counts[open] === 0 && <p className="py-2 text-center text-muted">{emptyText(open, name)}</p>}
          {open === 'photos' && counts.photos > 0 && <Photos member={member} onLike={onLike} />}
          {open !== 'photos' && counts[open] > 0 && (
            <Suspense fallback={<Skeleton className={open === 'voice' ? 'h-12' : 'mx-auto h-72 max-w-60'} />}>
              <Recordings
                name={name}
                videos={open === 'video' ? videos : []}
                voice={open === 'voice' ? member.audioGreeting : null}
              />
            </Suspense>
          )}
        </div>
      )}
    </section>
  );
}

/** Returns the text of an empty section. */
function emptyText(kind: Kind, name: string): string {
  if (kind === 'photos') return `${name} has no photos yet.`;
  return kind === 'video'
    ? `${name} has not recorded a video yet. You could ask for a story instead.`
    : `${name} has not recorded a voice greeting yet. You could ask for a story instead.`;
}

function Photos({ member, onLike }: GalleryProps) {
  const all = [...member.photos, ...member.galleryImages];
  const alt = (photo: PhotoType, index: number) =>
    photo.caption || `${member.firstName}, photo ${index + 1} of ${all.length}`;
  return (
    <ul className="grid grid-cols-2 gap-2 sm:grid-cols-3">
      {all.map((photo, index) => (
        <li className="relative" key={photo.id}>
          <Photo
            alt={alt(photo, index)}
            className="rounded-control"
            placeholder={photo.placeholder}
            src={photo.thumbUrl}
          />
          <IconButton
            aria-haspopup="dialog"
            className="absolute inset-e-1.5 bottom-1.5"
            icon={MessageCircleHeart}
            label={`Like photo ${index + 1}`}
            onClick={() => onLike({ photo })}
            tone="photo"
          />
        </li>
      ))}
    </ul>
  );
}
