import { X } from 'lucide-react';
import VoiceRecorder from '@/media/VoiceRecorder.tsx';
import { useSettings } from '@/offline/sync/settings.ts';
import { IconButton } from '@/ui';
import { notSent } from './notSent.ts';
import { keepFor, type Recipient, sendTake } from './send.ts';
import { SEND } from './words.ts';

type PanelProps = { to: Recipient; onClose: () => void };

/** In place of the text field: records at once, then to be heard before it is sent. */
export default function VoicePanel({ to, onClose }: PanelProps) {
  const { highQualityMedia } = useSettings();
  return (
    <section aria-label="Voice message" className="relative mx-auto max-w-3xl px-1 pt-1 pb-2">
      <div className="flex items-center justify-between pb-1">
        <h2 className="font-semibold text-sm">Voice message</h2>
        <IconButton className="-mr-2" icon={X} label="Close, and keep what was recorded" onClick={onClose} />
      </div>
      <VoiceRecorder
        atOnce
        keep={keepFor(to)}
        lowQuality={!highQualityMedia}
        onDone={onClose}
        onSend={(take) => sendTake(to, 'voice', take).catch(notSent)}
        words={SEND}
      />
    </section>
  );
}
