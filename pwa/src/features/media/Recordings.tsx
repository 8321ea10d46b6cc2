import type { Attachment } from '@/api/types.ts';
import { AudioPlayer, VideoPlayer } from '@/media/index.ts';
import { sourcesOf } from '@/media/sources.ts';
import type { MessageRow } from '@/offline/store/rows.ts';
import { useSettings } from '@/offline/sync/settings.ts';
import { joinVoices, noteHeard, playNext } from './heard.ts';
import { type Kept, keepForOffline, playableOf, useKept } from './useKept.ts';

type Props = { file: Attachment; row: MessageRow; mine: boolean; whose: string };

/** What the other sent is kept once most of it was played, where the member wants that. */
function useKeeping({ file, row, mine }: Props, kept: Kept): () => void {
  const { downloadForOffline } = useSettings();
  return () => {
    if (mine || kept.state === 'kept') return;
    // What this browser plays, which may be the copy.
    const [played = file.url] = sourcesOf(playableOf(file, kept));
    // Told nobody: it can be played again from the server.
    if (downloadForOffline) void keepForOffline(file.id, row.conversationId, played).catch(() => undefined);
  };
}

export function VoiceMessage(props: Props) {
  const { file, row, mine, whose } = props;
  const kept = useKept(file);
  const keep = useKeeping(props, kept);
  const { autoplayVoice } = useSettings();
  const voice = (play: () => void) => ({
    id: file.id,
    conversationId: row.conversationId,
    order: row.order,
    play,
  });
  return (
    <Panel>
      <AudioPlayer
        control={(play) => (mine ? () => undefined : joinVoices(voice(play)))}
        label={`${whose} voice message`}
        onEnded={() => {
          if (!mine && autoplayVoice) void playNext(voice(() => undefined));
        }}
        onHeard={() => {
          if (!mine) void noteHeard(file.id);
          keep();
        }}
        recording={playableOf(file, kept)}
      />
    </Panel>
  );
}

export function VideoMessage(props: Props) {
  const { file, mine, whose } = props;
  const kept = useKept(file);
  const keep = useKeeping(props, kept);
  const { autoplayVideo } = useSettings();
  return (
    <VideoPlayer
      autoplay={autoplayVideo && !mine}
      label={`${whose} video message`}
      onHeard={keep}
      recording={playableOf(file, kept)}
    />
  );
}

/** Its own ground, so that a voice looks the same in the bubbles of both. */
const Panel = ({ children }: { children: React.ReactNode }) => (
  <div className="rounded-[14px] bg-surface p-2 text-ink">{children}</div>
);
