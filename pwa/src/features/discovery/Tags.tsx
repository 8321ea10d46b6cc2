import { cn } from '@/ui';

const SHOWN = 3;

/** Up to three intention tags, and the number of the others. */
export function Tags({
  tags,
  onPhoto = false,
  className,
}: {
  tags: string[];
  onPhoto?: boolean;
  className?: string;
}) {
  if (tags.length === 0) return null;
  const classes = onPhoto ? 'bg-on-photo/18 text-on-photo' : 'bg-plum-soft text-plum';
  const more = tags.length - SHOWN;
  return (
    <ul aria-label="Intentions" className={cn('flex flex-wrap gap-1.5', className)}>
      {tags.slice(0, SHOWN).map((tag) => (
        <li className={cn('rounded-full px-2.5 py-1 font-medium text-xs', classes)} key={tag}>
          {tag}
        </li>
      ))}
      {more > 0 && (
        <li className={cn('rounded-full px-2.5 py-1 font-medium text-xs', classes)}>+{more} more</li>
      )}
    </ul>
  );
}
