import { useState } from 'react';
import { describeError } from '@/api/errors.ts';
import { MAX_CREATE_POST_CONTENT } from '@/api/limits.gen.ts';
import { cn, Skeleton, TextArea } from '@/ui';
import { RichText } from '@/ui/RichText.tsx';
import { previewPost } from './ownPosts.ts';

type StoryTextProps = { value: string; error?: string; onChange: (value: string) => void };
/** The preview of a text; `result` is undefined while it is loaded. */
type Preview = { result?: { html: string } | { failure: string } };

/** The text of a story in Markdown, and how it will look. */
export function StoryText({ value, error, onChange }: StoryTextProps) {
  // Null while the text is shown.
  const [preview, setPreview] = useState<Preview | null>(null);
  // The error is shown beside the text, which stays when the first letter has cleared the error.
  if (preview && error) setPreview(null);

  async function showPreview() {
    const opened: Preview = {};
    setPreview(opened);
    const result = await previewPost(value).then(
      (html) => ({ html }),
      (failure) => ({ failure: describeError(failure) }),
    );
    // Meanwhile the member may be writing again, or have opened the preview of another text.
    setPreview((now) => (now === opened ? { result } : now));
  }

  return (
    <div>
      <fieldset className="mb-2 flex w-fit rounded-control bg-raised p-1">
        <legend className="sr-only">Your Story</legend>
        <ViewButton onClick={() => setPreview(null)} pressed={!preview}>
          Write
        </ViewButton>
        <ViewButton disabled={!value.trim()} onClick={showPreview} pressed={preview !== null}>
          Preview
        </ViewButton>
      </fieldset>
      {preview ? (
        <PreviewBox result={preview.result} />
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

function PreviewBox({ result }: { result: Preview['result'] }) {
  return (
    <section
      aria-busy={!result}
      aria-label="Preview of your story"
      className="min-h-56 rounded-control border border-line p-4"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a long preview is scrolled by keys
      tabIndex={0}
    >
      {!result ? (
        <div className="flex flex-col gap-3">
          <Skeleton className="h-6" />
          <Skeleton className="h-6" />
          <Skeleton className="h-6 w-1/2" />
        </div>
      ) : 'html' in result ? (
        <RichText html={result.html} />
      ) : (
        <p className="text-muted" role="alert">
          {result.failure}
        </p>
      )}
    </section>
  );
}
