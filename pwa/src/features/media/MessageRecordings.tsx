import type { Attachment } from '@/api/types.ts';
import { useSettings } from '@/domain/storedSettings.ts';
import { AudioPlayer, VideoPlayer } from '@/media/index.ts';
import { sourcesOf } from '@/media/sources.ts';
import { useDb } from '@/offline/store/cached.ts';
import type { MessageRow } from '@/offline/store/rows.ts';
import { markPlayed, playNext, registerVoice } from './playedVoices.ts';
import { playableOf, type StoredFile, storeForOffline, useStoredFile } from './useStoredFile.ts';

type Props = { file: Attachment; row: MessageRow; mine: boolean; possessive: string };

/** Returns a function that stores a received file for offline use, if the member's settings allow it. */
function useStoreWhenPlayed({ file, row, mine }: Props, stored: StoredFile): () => void {
  const db = useDb();
  const { downloadForOffline } = useSettings();
  return () => {
    if (mine || stored.state === 'stored') return;
    // The source that this browser plays, which may be the MP4 copy.
    const [played = file.url] = sourcesOf(playableOf(file, stored));
    // A failure is ignored: the file can be played again from the server.
    if (downloadForOffline)
      void storeForOffline(db, file.id, row.conversationId, played).catch(() => undefined);
  };
}

export function VoiceMessage(props: Props) {
  const db = useDb();
  const { file, row, mine, possessive } = props;
  const stored = useStoredFile(file);
  const storeFile = useStoreWhenPlayed(props, stored);
  const { autoplayVoice } = useSettings();
  const { conversationId, order } = row;
  return (
    <Panel>
      <AudioPlayer
        registerPlay={(play) =>
          mine ? () => undefined : registerVoice(db, { id: file.id, conversationId, order, play })
        }
        label={`${possessive} voice message`}
        onEnded={() => {
          if (!mine && autoplayVoice) void playNext(db, row);
        }}
        onHalfPlayed={() => {
          if (!mine) void markPlayed(db, file.id);
          storeFile();
        }}
        recording={playableOf(file, stored)}
      />
    </Panel>
  );
}

export function VideoMessage(props: Props) {
  const { file, mine, possessive } = props;
  const stored = useStoredFile(file);
  const storeFile = useStoreWhenPlayed(props, stored);
  const { autoplayVideo } = useSettings();
  return (
    <VideoPlayer
      autoplay={autoplayVideo && !mine}
      label={`${possessive} video message`}
      onHalfPlayed={storeFile}
      recording={playableOf(file, stored)}
    />
  );
}

/** A background of its own, so that a voice message looks the same in the bubbles of both members. */
const Panel = ({ children }: { children: React.ReactNode }) => (
  <div className="rounded-[14px] bg-surface p-2 text-ink">{children}</div>
);
