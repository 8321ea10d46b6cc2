import { describeLoadError } from '@/api/client.ts';
import { Skeleton } from '@/ui';
import { RichText } from '@/ui/RichText.tsx';

type PostTextProps = {
  html: string | undefined;
  error: Error | null;
  /** The classes of the widths of the skeleton's lines. */
  widths: readonly string[];
};

/** The text of a story; until it is loaded its skeleton, or why it could not be loaded. */
export function PostText({ html, error, widths }: PostTextProps) {
  if (html !== undefined) return <RichText html={html} />;
  if (!error) return <TextSkeleton widths={widths} />;
  return (
    <p className="text-muted" role="alert">
      {describeLoadError(error)}
    </p>
  );
}

export const TextSkeleton = ({ widths }: Pick<PostTextProps, 'widths'>) => (
  <div aria-label="Loading the story" className="flex flex-col gap-3" role="status">
    {widths.map((width, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they never change
      <Skeleton className={`h-6 ${width}`} key={index} />
    ))}
  </div>
);
