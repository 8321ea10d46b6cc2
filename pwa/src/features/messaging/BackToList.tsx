import { ArrowLeft } from 'lucide-react';
import { Link } from 'react-router';

export const BackToList = () => (
  <Link
    aria-label="Back to messages"
    className="inline-grid size-11 shrink-0 place-items-center rounded-full hover:bg-raised md:hidden"
    to="/messages"
  >
    <ArrowLeft aria-hidden="true" className="size-5.5" strokeWidth={1.75} />
  </Link>
);
