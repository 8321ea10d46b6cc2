import { Button, cn } from '@/ui';

type UploadProgressProps = {
  label: string;
  /** The sent share, from 0 to 1. */
  share: number;
  isWaiting: boolean;
  /** Called by the button that is shown while the upload waits. */
  onCancel?: () => void;
  className?: string;
};

/** The progress of an upload. Without a connection it says that the upload continues by itself. */
export function UploadProgress({ label, share, isWaiting, onCancel, className }: UploadProgressProps) {
  return (
    <div className={cn('flex flex-col gap-2', className)}>
      <p className="text-sm empty:hidden" role="status">
        {isWaiting && 'Waiting for a connection. The upload will continue automatically.'}
      </p>
      <progress aria-label={label} className="hw-progress w-full text-ember" max={1} value={share} />
      {isWaiting && onCancel && (
        <Button className="self-end" onClick={onCancel} size="sm" variant="ghost">
          Cancel
        </Button>
      )}
    </div>
  );
}
