import { BackLink } from '@/ui';

export const BackToList = () => (
  <BackLink aria-label="Back to messages" className="md:hidden" to="/messages" />
);
