import { Settings } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { Me } from '@/api/types.ts';
import { IconButton, lazyWithRetry } from '@/ui';

const AccountSheet = lazyWithRetry(() => import('./AccountSheet.tsx'));

/** The account button in the header of first-level pages on a phone; the desktop's navigation has links instead. */
export function AccountMenu({ me }: { me: Me }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <IconButton
        aria-haspopup="dialog"
        className="-me-2 md:hidden"
        icon={Settings}
        label="Settings and account"
        onClick={() => setOpen(true)}
      />
      {open && (
        <Suspense fallback={null}>
          <AccountSheet me={me} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
