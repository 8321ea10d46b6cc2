import { useState } from 'react';
import type { PromptTopic } from '@/api/types.ts';
import { Sheet, Tabs } from '@/ui';

type PromptPickerProps = {
  topics: PromptTopic[];
  /** Questions that are on the profile already; they are not offered. */
  used: string[];
  onPick: (question: string) => void;
  onClose: () => void;
};

/** Chooses a question by topic. Each has an example of an answer. */
export default function PromptPicker({ topics, used, onPick, onClose }: PromptPickerProps) {
  const [topic, setTopic] = useState(topics[0]?.topic ?? '');
  return (
    <Sheet full onClose={onClose} open title="Choose a prompt">
      <Tabs
        label="Topics"
        onChange={setTopic}
        tabs={topics.map(({ topic: name, questions }) => ({
          value: name,
          label: name,
          content: (
            <ul className="flex flex-col gap-3">
              {questions
                .filter(({ question }) => !used.includes(question))
                .map(({ question, example }) => (
                  <li key={question}>
                    <button
                      className="card flex w-full flex-col gap-1 p-4 text-start transition-colors hover:bg-raised"
                      onClick={() => onPick(question)}
                      type="button"
                    >
                      <span className="font-semibold">{question}</span>
                      <span className="text-muted text-sm">{example}</span>
                    </button>
                  </li>
                ))}
            </ul>
          ),
        }))}
        value={topic}
      />
    </Sheet>
  );
}
