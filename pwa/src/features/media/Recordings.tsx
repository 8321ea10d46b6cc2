import type { Attachment } from '@/api/types.ts';
import { AudioPlayer, VideoPlayer } from '@/media/index.ts';
import type { Playable } from '@/media/recording.ts';
import type { MessageRow } from '@/offline/rows.ts';
import { useSettings } from '@/offline/settings.ts';
import { joinVoices, noteHeard, playNext } from './heard.ts';
import { type Kept, keepForOffline, useKept } from './useKept.ts';

type Props = { file: Attachment; row: MessageRow; mine: boolean; whose: string };

function playableOf(file: Attachment, kept: Kept): Playable {
  const known = { durationMs: file.durationMs ?? 0, waveform: file.waveform, mimeType: file.mimeType };
  if (kept.state === 'kept') return { ...known, url: kept.url, posterUrl: kept.posterUrl ?? file.posterUrl };
  return { ...known, url: file.url, posterUrl: file.posterUrl, fallbackUrl: `${file.url}.mp4` };
}

/** What the other sent is kept once most of it was played, where the member wants that. */
function useKeeping({ file, row, mine }: Props, kept: Kept): () => void {
  const { downloadForOffline } = useSettings();
  return () => {
    if (mine || kept.state === 'kept') return;
    // Told nobody: it can be played again from the server.
    if (downloadForOffline) void keepForOffline(file.id, row.conversationId, file.url).catch(() => undefined);
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
