import type { ReactNode } from 'react';
import type { Me } from '@/api/types.ts';
import { countText } from '@/base/format.ts';
import { Button, Sheet } from '@/ui';
import { BannerEditor } from './BannerEditor.tsx';
import { GalleryEditor } from './GalleryEditor.tsx';
import { GreetingEditor } from './GreetingEditor.tsx';

export type MediaId = 'voice' | 'video' | 'banner' | 'gallery';

type MediaSection = {
  title: string;
  description: string;
  summary: (me: Me) => string;
  Editor: (props: { me: Me }) => ReactNode;
};

/** The sections of pictures and recordings. Each change is saved at once. */
export const mediaSections: Record<MediaId, MediaSection> = {
  voice: {
    title: 'Voice greeting',
    description: 'Up to a minute. Say hello the way you would on a walk.',
    summary: ({ audioGreeting }) => (audioGreeting ? 'Recorded' : ''),
    Editor: ({ me }) => <GreetingEditor kind="voice" recording={me.audioGreeting} />,
  },
  video: {
    title: 'Video greeting',
    description: 'Up to half a minute, as you are.',
    summary: ({ videoGreeting }) => (videoGreeting ? 'Recorded' : ''),
    Editor: ({ me }) => <GreetingEditor kind="video" recording={me.videoGreeting} />,
  },
  banner: {
    title: 'Header banner',
    description: 'A wide picture above your profile: a place, a view, a thing you love.',
    summary: ({ headerBannerImage }) => (headerBannerImage ? 'Added' : ''),
    Editor: BannerEditor,
  },
  gallery: {
    title: 'Gallery',
    description: 'Up to twelve pictures and four videos from your life.',
    summary: ({ galleryImages, galleryVideos }) =>
      [
        galleryImages.length > 0 && countText(galleryImages.length, 'picture'),
        galleryVideos.length > 0 && countText(galleryVideos.length, 'video'),
      ]
        .filter(Boolean)
        .join(', '),
    Editor: GalleryEditor,
  },
};

export function MediaSheet({ id, me, onClose }: { id: MediaId; me: Me; onClose: () => void }) {
  const { title, description, Editor } = mediaSections[id];
  return (
    <Sheet
      actions={
        <Button onClick={onClose} variant="secondary">
          Done
        </Button>
      }
      description={description}
      full
      onClose={onClose}
      open
      title={title}
    >
      <Editor me={me} />
    </Sheet>
  );
}
