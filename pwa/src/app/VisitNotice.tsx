import { refreshSearch } from '@/features/discovery/filters.ts';
import { VisitBanner } from '@/features/visits/VisitBanner.tsx';

/** The banner of a visit, after whose end people around the own town are fetched. */
export default function VisitNotice() {
  return <VisitBanner onEnd={refreshSearch} />;
}
