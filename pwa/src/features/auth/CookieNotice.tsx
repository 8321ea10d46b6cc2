import { useState } from 'react';
import { refusesCookies } from './cookies.ts';

/** Says that the browser blocks cookies, if it does. */
export function CookieNotice() {
  const [areRefused] = useState(refusesCookies);
  return (
    areRefused && (
      <p className="mb-6 rounded-card bg-raised p-4" role="alert">
        This browser blocks cookies, so it can't keep you signed in. Allow cookies for this site, then load
        the page again.
      </p>
    )
  );
}
