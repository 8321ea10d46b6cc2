import { X } from 'lucide-react';
import { useSettings } from '@/domain/storedSettings.ts';
import VoiceRecorder from '@/media/VoiceRecorder.tsx';
import { useDb } from '@/offline/store/cached.ts';
import { IconButton } from '@/ui';
import { SEND_LABELS } from './recorderLabels.ts';
import { chunkStoreFor, type Recipient, sendClip } from './send.ts';
import { rethrowForMember } from './sendErrors.ts';

type PanelProps = { to: Recipient; onClose: () => void };

/** Replaces the text field: records at once, and plays the recording before it is sent. */
export default function VoicePanel({ to, onClose }: PanelProps) {
  const db = useDb();
  const { highQualityMedia } = useSettings();
  return (
    <section aria-label="Voice message" className="relative mx-auto max-w-3xl px-1 pt-1 pb-2">
      <div className="flex items-center justify-between pb-1">
        <h2 className="font-semibold text-sm">Voice message</h2>
        <IconButton className="-me-2" icon={X} label="Close, and keep what was recorded" onClick={onClose} />
      </div>
      <VoiceRecorder
        startOnMount
        openChunkStore={chunkStoreFor(db, to)}
        lowQuality={!highQualityMedia}
        onDone={onClose}
        onSend={(clip) => sendClip(db, to, 'voice', clip).catch(rethrowForMember)}
        labels={SEND_LABELS}
      />
    </section>
  );
}
