import { describeError } from '@/api/client.ts';
import type { FilterSet } from '@/api/types.ts';
import { useOnline } from '@/offline/device/online.ts';
import { paths } from '@/session/paths.ts';
import { ButtonLink, toastError } from '@/ui';
import { useFilters, usePreview } from './filters.ts';
import { Suggestions } from './Suggestions.tsx';

/** Below an empty deck: changes of the filters that find members, each stored by one tap, and a link to all filters. */
export default function WidenSearch() {
  const { filters, apply, applying } = useFilters();
  const { preview } = usePreview(filters);
  const online = useOnline();

  async function widen(next: FilterSet) {
    try {
      await apply(next);
    } catch (error) {
      toastError(describeError(error));
    }
  }

  return (
    <>
      <Suggestions disabled={applying || !online} onPick={widen} suggestions={preview?.suggestions ?? []} />
      <ButtonLink to={paths.settingsTab('filters')} variant="ghost">
        Change filters
      </ButtonLink>
    </>
  );
}
