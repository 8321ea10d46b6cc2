import { ImagePlus } from 'lucide-react';
import { cn } from '@/ui';

type AddTileProps = {
  label: string;
  multiple?: boolean;
  onFiles: (files: File[]) => void;
  /** The class of the aspect ratio, such as `aspect-4/5`. */
  className?: string;
};

/** An empty tile that opens the device's picture picker. */
export function AddTile({ label, multiple, onFiles, className }: AddTileProps) {
  return (
    <label
      className={cn(
        'flex w-full flex-col items-center justify-center gap-2 rounded-card border-2 border-control border-dashed bg-surface p-3 text-center font-semibold text-ember-strong text-sm transition-colors focus-within:outline-2 focus-within:outline-focus focus-within:outline-offset-2 hover:bg-ember-soft',
        className,
      )}
    >
      <ImagePlus aria-hidden="true" className="size-7" />
      {label}
      <input
        accept="image/*"
        className="sr-only"
        multiple={multiple}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
        type="file"
      />
    </label>
  );
}
