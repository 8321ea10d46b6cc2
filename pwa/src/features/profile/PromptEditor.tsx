import { Mic, Plus, RefreshCw, Trash2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { MAX_CHANGE_ME_PROMPTS, MAX_CHANGE_ME_PROMPTS_ANSWER } from '@/api/limits.gen.ts';
import type { Prompt, PromptTopic } from '@/api/types.ts';
import { AudioPlayer } from '@/media/index.ts';
import { Button, FailureText, IconButton, lazyWithRetry, TextArea } from '@/ui';
import type { FieldsProps } from './fields.tsx';
import { removedVoices } from './profileDraft.ts';
import { useProfileOptions } from './profileRequests.ts';
import { recordingPaths } from './profileUpload.ts';
import { ResumedUpload, useResumedUpload } from './ResumedUpload.tsx';

const PromptPicker = lazyWithRetry(() => import('./PromptPicker.tsx'));
const VoiceAnswerSheet = lazyWithRetry(() => import('./VoiceAnswerSheet.tsx'));

type PromptEditorProps = {
  prompts: Prompt[];
  error?: string;
  /** Whether the first prompt was just added: its answer is focused. */
  isNew?: boolean;
  onChange: (prompts: Prompt[]) => void;
};

/** Edits up to three prompts with the member's answers. */
function PromptEditor({ prompts, error, isNew = false, onChange }: PromptEditorProps) {
  const topics = useProfileOptions()?.promptTopics ?? [];
  const { addedIndex, pickQuestion, picker } = useQuestionPicker(topics, prompts, isNew, onChange);
  const examples = new Map(
    topics.flatMap(({ questions }) => questions.map(({ question, example }) => [question, example])),
  );
  return (
    <div className="flex flex-col gap-4">
      <p className="text-muted">
        Three short answers of your choice: the easiest way for others to start talking.
      </p>
      {prompts.map((prompt, index) => (
        <PromptCard
          example={examples.get(prompt.question)}
          isNew={index === addedIndex}
          // biome-ignore lint/suspicious/noArrayIndexKey: a prompt is identified by its position; its question may change.
          key={index}
          onChange={(change) => onChange(withChange(prompts, index, change))}
          onPick={() => pickQuestion(index)}
          onRemove={() => onChange(prompts.filter((_, position) => position !== index))}
          prompt={prompt}
        />
      ))}
      <FailureText>{error}</FailureText>
      {prompts.length < MAX_CHANGE_ME_PROMPTS && (
        <Button
          className="self-start"
          disabled={topics.length === 0}
          onClick={() => pickQuestion(prompts.length)}
          variant="secondary"
        >
          <Plus aria-hidden="true" className="size-5" />
          Add a prompt
        </Button>
      )}
      {picker}
    </div>
  );
}

/** Edits the prompts of a draft. */
export function DraftPrompts({ draft, errors, set, isNew }: FieldsProps & Pick<PromptEditorProps, 'isNew'>) {
  return (
    <PromptEditor
      error={errors.prompts}
      isNew={isNew}
      onChange={(prompts) => {
        set('prompts', prompts);
        set('removedVoiceIds', removedVoices(draft, prompts));
      }}
      prompts={draft.prompts}
    />
  );
}

const withChange = (prompts: Prompt[], index: number, change: Partial<Prompt>): Prompt[] =>
  prompts.map((prompt, position) => (position === index ? { ...prompt, ...change } : prompt));

/**
 * Chooses the question of a prompt. Returns a function that opens the choice for the prompt at an index, or for a new one
 * at the end; the index of the prompt that was added last, if any; and the open choice.
 */
function useQuestionPicker(
  topics: PromptTopic[],
  prompts: Prompt[],
  isNew: boolean,
  onChange: PromptEditorProps['onChange'],
) {
  const [picking, setPicking] = useState<number | null>(null);
  const [addedIndex, setAddedIndex] = useState(isNew ? 0 : null);

  function pick(question: string) {
    if (picking === prompts.length) {
      onChange([...prompts, { question, answer: '', voice: null }]);
      setAddedIndex(picking);
    } else if (picking !== null) onChange(withChange(prompts, picking, { question }));
    setPicking(null);
  }

  const picker = picking !== null && (
    <Suspense>
      <PromptPicker
        onClose={() => setPicking(null)}
        onPick={pick}
        topics={topics}
        used={prompts.map(({ question }) => question)}
      />
    </Suspense>
  );
  return { addedIndex, pickQuestion: setPicking, picker };
}

type PromptCardProps = {
  prompt: Prompt;
  example: string | undefined;
  /** Just added: its answer is focused. */
  isNew: boolean;
  onChange: (change: Partial<Prompt>) => void;
  onPick: () => void;
  onRemove: () => void;
};

/** The question, which can be replaced, and the answer in writing or as a recording. */
function PromptCard({ prompt, example, isNew, onChange, onPick, onRemove }: PromptCardProps) {
  const { question, answer, voice } = prompt;
  const [isRecording, setRecording] = useState(false);
  const resumed = useResumedUpload(recordingPaths.answer, question);
  return (
    <section aria-label={question} className="card flex flex-col gap-2 p-4">
      <div className="flex items-start gap-1">
        <h4 className="min-w-0 flex-1 py-2.5 font-display font-semibold text-lg leading-snug">{question}</h4>
        {!voice && (
          <IconButton
            icon={RefreshCw}
            label={`Choose another question instead of “${question}”`}
            onClick={onPick}
          />
        )}
        <IconButton icon={Trash2} label={`Remove “${question}”`} onClick={onRemove} />
      </div>
      {voice && <AudioPlayer label={`Your answer to “${question}”`} recording={voice} />}
      {resumed && <ResumedUpload label="Saving your answer" upload={resumed} />}
      <div className="flex flex-wrap gap-2">
        <Button
          disabled={resumed !== undefined}
          onClick={() => setRecording(true)}
          size="sm"
          variant="secondary"
        >
          <Mic aria-hidden="true" className="size-4.5" />
          {voice ? 'Record again' : 'Answer with your voice'}
        </Button>
        {voice && (
          <Button onClick={() => onChange({ voice: null })} size="sm" variant="ghost">
            Remove recording
          </Button>
        )}
      </div>
      <TextArea
        autoFocus={isNew}
        count={answer.length}
        label={voice ? 'In words (optional)' : 'Your answer'}
        maxLength={MAX_CHANGE_ME_PROMPTS_ANSWER}
        onChange={(event) => onChange({ answer: event.target.value })}
        placeholder={example && `For example: ${example}`}
        value={answer}
      />
      {isRecording && (
        <Suspense>
          <VoiceAnswerSheet
            onClose={() => setRecording(false)}
            onSaved={(saved) => onChange({ voice: saved })}
            question={question}
          />
        </Suspense>
      )}
    </section>
  );
}
