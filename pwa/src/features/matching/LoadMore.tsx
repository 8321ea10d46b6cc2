import { Button, useAction } from '@/ui';

/** A button below a list that loads its next page. */
export function LoadMore({ load }: { load: () => Promise<void> }) {
  const [loadMore, { isBusy }] = useAction(load);
  return (
    <div className="mt-6 text-center">
      <Button busy={isBusy} onClick={loadMore} variant="secondary">
        Show more
      </Button>
    </div>
  );
}
