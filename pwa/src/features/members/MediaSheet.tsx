import type { ReactNode } from 'react';
import type { Me } from '@/api/types.ts';
import { Button, Sheet } from '@/ui';
import { BannerEditor } from './BannerEditor.tsx';
import { GalleryEditor } from './GalleryEditor.tsx';
import { GreetingEditor } from './GreetingEditor.tsx';

export type MediaId = 'voice' | 'video' | 'banner' | 'gallery';

type MediaPart = {
  title: string;
  description: string;
  summary: (me: Me) => string;
  Editor: (props: { me: Me }) => ReactNode;
};

const counted = (count: number, one: string, many: string) =>
  count > 0 ? `${count} ${count === 1 ? one : many}` : '';

/** The pictures and recordings beside the photos; each is saved as soon as it is there. */
export const mediaParts: Record<MediaId, MediaPart> = {
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
      [counted(galleryImages.length, 'picture', 'pictures'), counted(galleryVideos.length, 'video', 'videos')]
        .filter(Boolean)
        .join(', '),
    Editor: GalleryEditor,
  },
};

export function MediaSheet({ id, me, onClose }: { id: MediaId; me: Me; onClose: () => void }) {
  const { title, description, Editor } = mediaParts[id];
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
