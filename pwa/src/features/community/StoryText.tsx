import { useState } from 'react';
import { describeError } from '@/api/errors.ts';
import { MAX_CREATE_POST_CONTENT } from '@/api/limits.gen.ts';
import { cn, Skeleton, TextArea } from '@/ui';
import { RichText } from '@/ui/RichText.tsx';
import { previewPost } from './boardRequests.ts';

type StoryTextProps = { value: string; error?: string; onChange: (value: string) => void };
type Preview = { html: string } | { failure: string } | null;

/** The text of a story in Markdown, and how it will look. */
export function StoryText({ value, error, onChange }: StoryTextProps) {
  const [isPreview, setPreviewShown] = useState(false);
  // An error is beside the text, which stays when the first letter has cleared the error.
  if (isPreview && error) setPreviewShown(false);
  const [preview, setPreview] = useState<Preview>(null);

  async function show() {
    setPreviewShown(true);
    setPreview(null);
    const next = await previewPost(value).then(
      (html): Preview => ({ html }),
      (failure): Preview => ({ failure: describeError(failure) }),
    );
    setPreview(next);
  }

  return (
    <div>
      <fieldset className="mb-2 flex w-fit rounded-control bg-raised p-1">
        <legend className="sr-only">Your Story</legend>
        <ViewButton onClick={() => setPreviewShown(false)} pressed={!isPreview}>
          Write
        </ViewButton>
        <ViewButton disabled={!value.trim()} onClick={show} pressed={isPreview}>
          Preview
        </ViewButton>
      </fieldset>
      {isPreview ? (
        <PreviewBox preview={preview} />
      ) : (
        <TextArea
          className="min-h-56"
          count={value.length}
          error={error}
          hint="An empty line begins a paragraph. **bold**, *italic*, # heading, - list, > quote."
          label="Your Story"
          maxLength={MAX_CREATE_POST_CONTENT}
          name="content"
          onChange={(event) => onChange(event.target.value)}
          rows={8}
          value={value}
        />
      )}
    </div>
  );
}

type ViewButtonProps = { pressed: boolean; disabled?: boolean; onClick: () => void; children: string };

const ViewButton = ({ pressed, disabled, onClick, children }: ViewButtonProps) => (
  <button
    aria-pressed={pressed}
    className={cn(
      'min-h-11 rounded-[calc(var(--r-control)-4px)] px-4 font-semibold text-sm transition-colors disabled:opacity-55',
      pressed ? 'bg-surface text-ink' : 'text-muted',
    )}
    disabled={disabled}
    onClick={onClick}
    type="button"
  >
    {children}
  </button>
);

function PreviewBox({ preview }: { preview: Preview }) {
  return (
    <section
      aria-busy={preview === null}
      aria-label="Preview of your story"
      className="min-h-56 rounded-control border border-line p-4"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a long preview is scrolled by keys
      tabIndex={0}
    >
      {preview === null ? (
        <div className="flex flex-col gap-3">
          <Skeleton className="h-6" />
          <Skeleton className="h-6" />
          <Skeleton className="h-6 w-1/2" />
        </div>
      ) : 'html' in preview ? (
        <RichText html={preview.html} />
      ) : (
        <p className="text-muted" role="alert">
          {preview.failure}
        </p>
      )}
    </section>
  );
}
