import { paths } from '@/session/paths.ts';
import { BackLink } from '@/ui';

export const BackToList = () => (
  <BackLink aria-label="Back to messages" className="md:hidden" to={paths.messages} />
);
