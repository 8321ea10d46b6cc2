import { iconStroke } from '@/ui';

type StrokeIconProps = { path: string; className: string; width?: number };

/** An icon with a single path, because hundreds are drawn while a conversation scrolls. */
export const StrokeIcon = ({ path, className, width = iconStroke }: StrokeIconProps) => (
  <svg
    aria-hidden="true"
    className={className}
    fill="none"
    stroke="currentColor"
    strokeLinecap="round"
    strokeLinejoin="round"
    strokeWidth={width}
    viewBox="0 0 24 24"
  >
    <path d={path} />
  </svg>
);
