import { Button } from './Button.tsx';
import { useRootMark } from './rootMark.ts';
import { useAction } from './useAction.ts';

type NoticeBannerProps = {
  label: string;
  text: string;
  action: string;
  /** Ends the state of which the banner informs. */
  onAction: () => Promise<void>;
};

/** A line above the people on For You and Discover, with a button. */
export function NoticeBanner({ label, text, action, onAction }: NoticeBannerProps) {
  useRootMark('banners');

  const [act, { isBusy }] = useAction(() => onAction(), { staysBusy: true });

  return (
    <aside
      aria-label={label}
      className="mb-3 flex min-h-11 items-center justify-between gap-3 rounded-control bg-plum-soft ps-4 text-plum"
    >
      <p className="wrap-anywhere min-w-0 py-1 text-sm leading-tight">{text}</p>
      <Button busy={isBusy} className="shrink-0" onClick={act} size="sm" variant="ghost">
        {action}
      </Button>
    </aside>
  );
}
