/** A spinner for busy buttons; screens show skeletons instead. */
export function Spinner() {
  return (
    <svg aria-hidden="true" className="size-4 animate-spinner" fill="none" viewBox="0 0 16 16">
      <circle cx="8" cy="8" opacity=".3" r="6.5" stroke="currentColor" strokeWidth="2.5" />
      <path d="M8 1.5A6.5 6.5 0 0 1 14.5 8" stroke="currentColor" strokeLinecap="round" strokeWidth="2.5" />
    </svg>
  );
}
