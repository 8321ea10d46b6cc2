import { paths } from '@/session/paths.ts';
import { ButtonLink, cn } from '@/ui';

/** The link of visitors beside the title. */
export const SignIn = ({ className }: { className?: string }) => (
  <ButtonLink className={cn('whitespace-nowrap', className)} size="sm" to={paths.login} variant="ghost">
    Sign In
  </ButtonLink>
);
