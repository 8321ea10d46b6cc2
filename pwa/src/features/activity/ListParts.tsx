/** What the lists of the activity and of the notifications share. */
import { Button, Skeleton, useAction } from '@/ui';

export function LoadEarlier({ load }: { load: () => Promise<void> }) {
  const [loadPage, { isBusy }] = useAction(load);
  return (
    <div className="mt-4 flex justify-center">
      <Button busy={isBusy} onClick={loadPage} variant="secondary">
        Show earlier
      </Button>
    </div>
  );
}

export function ListSkeleton({ label }: { label: string }) {
  return (
    <div aria-label={label} className="card flex flex-col gap-4 p-5" role="status">
      {[1, 2, 3, 4].map((row) => (
        <div className="flex items-center gap-4" key={row}>
          <Skeleton className="size-12 rounded-full" />
          <Skeleton className="h-9 flex-1" />
        </div>
      ))}
    </div>
  );
}
