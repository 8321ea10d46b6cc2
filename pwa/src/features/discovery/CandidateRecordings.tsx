import type { Recording } from '@/api/types.ts';
import { AudioPlayer, VideoPlayer } from '@/media';

type RecordingsProps = { name: string; voice: Recording | null; videos: Recording[] };

/** The players of a member's greetings and videos, loaded on demand. */
export default function Recordings({ name, voice, videos }: RecordingsProps) {
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {voice && (
        <AudioPlayer className="sm:col-span-2" label={`${name}'s voice greeting`} recording={voice} />
      )}
      {videos.map((video, index) => (
        <VideoPlayer
          className="mx-auto w-full max-w-72"
          key={video.id}
          label={videos.length > 1 ? `${name}'s video ${index + 1}` : `${name}'s video`}
          recording={video}
        />
      ))}
    </div>
  );
}
