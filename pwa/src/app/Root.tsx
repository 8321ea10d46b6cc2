import { useRef } from 'react';
import { Outlet, useLocation } from 'react-router';
import { usePageArrival } from '@/ui';

/** The root of all pages: sets position and focus after each navigation. */
export function Root() {
  const announcer = useRef<HTMLParagraphElement>(null);
  usePageArrival(useLocation(), (title) => {
    if (announcer.current) announcer.current.textContent = title;
  });
  return (
    <>
      <Outlet />
      <p aria-live="polite" className="sr-only" ref={announcer} />
    </>
  );
}
