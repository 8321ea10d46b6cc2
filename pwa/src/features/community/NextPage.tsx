import { describeLoadError } from '@/api/client.ts';
import { Button, FailureText, useAction } from '@/ui';

/** A button that loads the entries after those shown. */
export function NextPage({
  loadNext,
  label = 'Show more stories',
}: {
  loadNext: () => Promise<unknown>;
  label?: string;
}) {
  const [load, { isBusy, error }] = useAction(loadNext, {
    inline: true,
    errorText: describeLoadError,
  });
  return (
    <div className="flex flex-col items-center gap-2 pt-5">
      <Button busy={isBusy} onClick={load} variant="secondary">
        {label}
      </Button>
      <FailureText className="text-center">{error}</FailureText>
    </div>
  );
}
