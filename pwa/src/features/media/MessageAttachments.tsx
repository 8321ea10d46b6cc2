import { useUploadProgress } from '@/offline/outbox/progress.ts';
import type { MessageRow } from '@/offline/store/rows.ts';
import { PictureGrid } from './PictureGrid.tsx';
import { VideoMessage, VoiceMessage } from './Recordings.tsx';

const KNOWN_KINDS: readonly string[] = ['audio', 'video', 'image'];

type Props = { row: MessageRow; mine: boolean; author: string };

/** The pictures or the recording of a message, inside its bubble. */
export function MessageAttachments({ row, mine, author }: Props) {
  const [first] = row.attachments;
  const possessive = mine ? 'Your' : `${author}’s`;
  return (
    <div className="-mx-1.5 mb-1 w-66 max-w-[calc(100%+0.75rem)] whitespace-normal">
      {first?.kind === 'audio' && <VoiceMessage file={first} mine={mine} row={row} possessive={possessive} />}
      {first?.kind === 'video' && <VideoMessage file={first} mine={mine} row={row} possessive={possessive} />}
      {first?.kind === 'image' && <PictureGrid files={row.attachments} mine={mine} possessive={possessive} />}
      {first && !KNOWN_KINDS.includes(first.kind) && (
        <p className="px-1.5 italic">This needs a newer version of Heartward</p>
      )}
      {row.state === 'waiting' && <Progress row={row} />}
    </div>
  );
}

function Progress({ row }: { row: MessageRow }) {
  const percent = useUploadProgress(row.attachments);
  if (percent === null) return null;
  return (
    <p className="mt-1.5 flex items-center gap-2 px-1.5 text-xs tabular-nums">
      <progress aria-label="Sending" className="hw-progress min-w-0 flex-1" max={100} value={percent} />
      {percent} %
    </p>
  );
}
