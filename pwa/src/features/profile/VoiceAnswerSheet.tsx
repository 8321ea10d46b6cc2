import { Suspense } from 'react';
import type { Recording } from '@/api/types.ts';
import type { RecordedClip } from '@/media/index.ts';
import type { Send } from '@/media/useSend.ts';
import { useDb } from '@/offline/store/cached.ts';
import { refreshMe } from '@/session/session.ts';
import { lazyWithRetry, Sheet, Skeleton, toast } from '@/ui';
import { uploadPromptVoice } from './profileUpload.ts';
import { SAVE_LABELS } from './saveLabels.ts';

const VoiceRecorder = lazyWithRetry(() => import('@/media/VoiceRecorder.tsx'));

/** The server's maximum for a recorded answer. */
const MAX_ANSWER_MS = 30_000;

type VoiceAnswerSheetProps = {
  question: string;
  /** Called with the recording when the server has stored it with the question. */
  onSaved: (voice: Recording) => void;
  onClose: () => void;
};

/** Records the answer to a question. It is saved at once, unlike the text beside it. */
export default function VoiceAnswerSheet({ question, onSaved, onClose }: VoiceAnswerSheetProps) {
  const db = useDb();
  async function save(clip: RecordedClip, ...sending: Parameters<Send>) {
    const voice = await uploadPromptVoice(db, question, clip, ...sending);
    // Otherwise this tab has missed the response, and the own profile has the recording.
    if (voice) onSaved(voice);
    await refreshMe();
    toast({ title: 'Answer saved' });
    onClose();
  }

  return (
    <Sheet
      description="You can add the words in writing, for people who can't listen."
      onClose={onClose}
      open
      title={question}
    >
      <Suspense fallback={<Skeleton className="h-40" />}>
        <VoiceRecorder labels={SAVE_LABELS} maxDurationMs={MAX_ANSWER_MS} onSend={save} />
      </Suspense>
    </Sheet>
  );
}
