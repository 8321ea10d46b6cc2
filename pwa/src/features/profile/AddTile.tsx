import { ImagePlus, type LucideIcon } from 'lucide-react';
import { cn } from '@/ui';

type PickerTileProps = {
  icon: LucideIcon;
  /** The class of the icon's size. */
  iconSize: string;
  label: string;
  multiple?: boolean;
  /** Opens the camera on a phone. The device asks for permission only then. */
  isCamera?: boolean;
  onFiles: (files: File[]) => void;
  className?: string;
};

type AddTileProps = Omit<PickerTileProps, 'icon' | 'iconSize' | 'isCamera'> & {
  /** The class of the aspect ratio, such as `aspect-4/5`. */
  className: string;
};

/** An empty tile of a list, which opens the device's picture picker. */
export const AddTile = ({ className, ...props }: AddTileProps) => (
  <PickerTile {...props} className={cn('w-full p-3 text-sm', className)} icon={ImagePlus} iconSize="size-7" />
);

/** A tile that opens the device's picture picker or its camera. */
export function PickerTile(props: PickerTileProps) {
  const { icon: Icon, iconSize, label, multiple, isCamera, onFiles, className } = props;
  return (
    <label
      className={cn(
        'flex flex-col items-center justify-center gap-2 rounded-card border-2 border-control border-dashed bg-surface text-center font-semibold text-ember-strong transition-colors focus-within:outline-2 focus-within:outline-focus focus-within:outline-offset-2 hover:bg-ember-soft',
        className,
      )}
    >
      <Icon aria-hidden="true" className={iconSize} />
      {label}
      <input
        accept="image/*"
        capture={isCamera && 'user'}
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
