type StrokeProps = { path: string; className: string; width?: number };

/** An icon of lines in one element: hundreds of them pass by while a conversation scrolls. */
export const Stroke = ({ path, className, width = 1.75 }: StrokeProps) => (
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
