import { useEffect, useRef, useState } from 'react';
import { useUploadProgress } from '@/offline/outbox/progress.ts';
import { useDb } from '@/offline/store/cached.ts';
import type { MessageRow } from '@/offline/store/rows.ts';
import { BlurredFiles } from './BlurredFiles.tsx';
import { VideoMessage, VoiceMessage } from './MessageRecordings.tsx';
import { PictureGrid } from './PictureGrid.tsx';
import { showPictures } from './showPictures.ts';

const KNOWN_KINDS: readonly string[] = ['audio', 'video', 'image'];

type Props = {
  row: MessageRow;
  mine: boolean;
  author: string;
  /** Whether the member has chosen to see the pictures and videos of the conversation. */
  picturesShown: boolean;
  /** Opens the report of the sender. */
  onReport: (row: MessageRow) => void;
};

/** The pictures or the recording of a message, inside its bubble. */
export function MessageAttachments({ row, mine, author, picturesShown, onReport }: Props) {
  const [first] = row.attachments;
  const possessive = mine ? 'Your' : `${author}’s`;
  const files = { row, mine, possessive };
  const isVisual = first?.kind === 'video' || first?.kind === 'image';
  return (
    <div className="-mx-1.5 mb-1 w-66 max-w-[calc(100%+0.75rem)] whitespace-normal">
      {first?.kind === 'audio' && <VoiceMessage file={first} mine={mine} row={row} possessive={possessive} />}
      {isVisual &&
        (mine ? (
          <Visual {...files} />
        ) : (
          <ReceivedVisual {...files} onReport={onReport} shown={picturesShown} />
        ))}
      {first && !KNOWN_KINDS.includes(first.kind) && (
        <p className="px-1.5 italic">This needs a newer version of Heartward</p>
      )}
      {row.state === 'waiting' && <Progress row={row} />}
    </div>
  );
}

type VisualProps = { row: MessageRow; mine: boolean; possessive: string };

/** The pictures or the video of a message. */
function Visual({ row, mine, possessive }: VisualProps) {
  const [first] = row.attachments;
  if (first?.kind === 'video')
    return <VideoMessage file={first} mine={mine} possessive={possessive} row={row} />;
  return <PictureGrid files={row.attachments} mine={mine} possessive={possessive} />;
}

type ReceivedProps = VisualProps & { shown: boolean; onReport: Props['onReport'] };

/** Received pictures or a video, blurred until the member has chosen to see those of the conversation. */
function ReceivedVisual({ shown, onReport, ...files }: ReceivedProps) {
  const db = useDb();
  const { row, possessive } = files;
  const [chosenHere, setChosenHere] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The button that had the focus is gone.
    if (shown && chosenHere) box.current?.querySelector('button')?.focus();
  }, [shown, chosenHere]);
  return (
    <div ref={box}>
      {shown ? (
        <Visual {...files} />
      ) : (
        <BlurredFiles
          files={row.attachments}
          onReport={() => onReport(row)}
          onShow={() => {
            setChosenHere(true);
            void showPictures(db, row.conversationId);
          }}
          possessive={possessive}
        />
      )}
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
