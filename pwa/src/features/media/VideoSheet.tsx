import VideoRecorder from '@/media/VideoRecorder.tsx';
import { useSettings } from '@/offline/sync/settings.ts';
import { Sheet } from '@/ui';
import { notSent } from './notSent.ts';
import { keepFor, type Recipient, sendTake } from './send.ts';
import { SEND } from './words.ts';

/** Over the conversation: the front camera, up to half a minute, then to be seen before it is sent. */
export default function VideoSheet({ to, onClose }: { to: Recipient; onClose: () => void }) {
  const { highQualityMedia } = useSettings();
  return (
    <Sheet onClose={onClose} open title="Video message">
      <VideoRecorder
        keep={keepFor(to)}
        lowQuality={!highQualityMedia}
        onSend={async (take) => {
          await sendTake(to, 'video', take).catch(notSent);
          onClose();
        }}
        words={SEND}
      />
    </Sheet>
  );
}
