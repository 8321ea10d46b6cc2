import { cn } from './cn.ts';
import { initialOf } from './graphemes.ts';
import { Photo } from './Photo.tsx';

type AvatarProps = {
  user: { firstName?: string; fullName?: string; profileImageUrl?: string | null; placeholder?: string };
  size?: 'sm' | 'md' | 'lg' | 'xl';
  online?: boolean;
  className?: string;
};

const sizes = { sm: 'size-9 text-sm', md: 'size-12 text-lg', lg: 'size-16 text-xl', xl: 'size-28 text-3xl' };
const tints = [
  'bg-ember-soft text-ember-strong',
  'bg-plum-soft text-plum',
  'bg-sage-soft text-sage',
  'bg-marigold-soft text-marigold-ink',
];

/** The photo, or the initial on a tinted background. Decorative, so the name must be shown beside it. */
export function Avatar({ user, size = 'md', online = false, className }: AvatarProps) {
  const name = user.fullName || user.firstName || '';
  const tint = tints[[...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % tints.length];
  return (
    <span className={cn('relative inline-block shrink-0', sizes[size], className)}>
      {user.profileImageUrl ? (
        <Photo
          alt=""
          className="rounded-full"
          placeholder={user.placeholder}
          ratio="1/1"
          src={user.profileImageUrl}
        />
      ) : (
        <span
          aria-hidden="true"
          className={cn('grid size-full place-items-center rounded-full font-display font-semibold', tint)}
        >
          {initialOf(name)}
        </span>
      )}
      {online && (
        <span className="absolute inset-e-[6%] bottom-[6%] size-1/4 max-h-4 min-h-2.5 min-w-2.5 max-w-4 rounded-full border-2 border-surface bg-sage">
          <span className="sr-only">Online</span>
        </span>
      )}
    </span>
  );
}
