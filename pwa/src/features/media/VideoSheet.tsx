import { useSettings } from '@/domain/storedSettings.ts';
import VideoRecorder from '@/media/VideoRecorder.tsx';
import { useDb } from '@/offline/store/cached.ts';
import { Sheet } from '@/ui';
import { SEND_LABELS } from './recorderLabels.ts';
import { chunkStoreFor, type Recipient, sendClip } from './send.ts';
import { rethrowForMember } from './sendErrors.ts';

/** Records up to 30 s with the front camera, over the conversation, and previews the video before it is sent. */
export default function VideoSheet({ to, onClose }: { to: Recipient; onClose: () => void }) {
  const db = useDb();
  const { highQualityMedia } = useSettings();
  return (
    <Sheet onClose={onClose} open title="Video message">
      <VideoRecorder
        openChunkStore={chunkStoreFor(db, to)}
        lowQuality={!highQualityMedia}
        onSend={async (clip) => {
          await sendClip(db, to, 'video', clip).catch(rethrowForMember);
          onClose();
        }}
        labels={SEND_LABELS}
      />
    </Sheet>
  );
}
