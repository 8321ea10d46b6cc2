import { cn } from '@/ui';

const SHOWN = 3;

/** Up to three intention tags, and the number of the others. */
export function Tags({ tags, className }: { tags: string[]; className?: string }) {
  if (tags.length === 0) return null;
  const hiddenCount = tags.length - SHOWN;
  return (
    <ul aria-label="Intentions" className={cn('flex flex-wrap gap-1.5', className)}>
      {tags.slice(0, SHOWN).map((tag) => (
        <li className="rounded-full bg-plum-soft px-2.5 py-1 font-medium text-plum text-xs" key={tag}>
          {tag}
        </li>
      ))}
      {hiddenCount > 0 && (
        <li className="rounded-full bg-plum-soft px-2.5 py-1 font-medium text-plum text-xs">
          +{hiddenCount} more
        </li>
      )}
    </ul>
  );
}
