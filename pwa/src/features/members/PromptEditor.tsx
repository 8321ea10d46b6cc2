import { Plus, Trash2 } from 'lucide-react';
import type { Prompt } from '@/api/types.ts';
import { Button, IconButton, Select, TextArea } from '@/ui';
import { useProfileOptions } from './requests.ts';

const MAX_PROMPTS = 3;

type PromptEditorProps = { prompts: Prompt[]; error?: string; onChange: (prompts: Prompt[]) => void };

/** Edits up to three prompts with the member's answers. */
export function PromptEditor({ prompts, error, onChange }: PromptEditorProps) {
  const offered = useProfileOptions()?.promptQuestions ?? [];
  const free = offered.filter((question) => !prompts.some((prompt) => prompt.question === question));
  const replace = (index: number, change: Partial<Prompt>) =>
    onChange(prompts.map((prompt, position) => (position === index ? { ...prompt, ...change } : prompt)));
  return (
    <div className="flex flex-col gap-4">
      <p className="text-muted">
        Three short answers of your choice: the easiest way for others to start talking.
      </p>
      {prompts.map((prompt, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a prompt is identified by its position; its question may change.
        <div className="card flex flex-col gap-3 p-4" key={index}>
          <div className="flex items-end gap-2">
            <div className="min-w-0 flex-1">
              <Select
                label={`Prompt ${index + 1}`}
                onChange={(event) => replace(index, { question: event.target.value })}
                value={prompt.question}
              >
                {[prompt.question, ...free].map((question) => (
                  <option key={question}>{question}</option>
                ))}
              </Select>
            </div>
            <IconButton
              icon={Trash2}
              label={`Remove prompt ${index + 1}`}
              onClick={() => onChange(prompts.filter((_, position) => position !== index))}
            />
          </div>
          <TextArea
            count={prompt.answer.length}
            label="Your answer"
            maxLength={250}
            onChange={(event) => replace(index, { answer: event.target.value })}
            value={prompt.answer}
          />
        </div>
      ))}
      {error && (
        <p className="text-danger text-sm" role="alert">
          {error}
        </p>
      )}
      {prompts.length < MAX_PROMPTS && (
        <Button
          className="self-start"
          disabled={free.length === 0}
          onClick={() => onChange([...prompts, { question: free[0] ?? '', answer: '' }])}
          variant="secondary"
        >
          <Plus aria-hidden="true" className="size-5" strokeWidth={1.75} />
          Add a prompt
        </Button>
      )}
    </div>
  );
}
