import { type ReactNode, useState } from 'react';
import { SessionContext, startSession } from '@/base/pageSession.ts';

/** Gives the member's session to the components in it. Its key must be the member's id. */
export function SignedIn({ memberId, children }: { memberId: string; children: ReactNode }) {
  const [session] = useState(() => startSession(memberId));
  return <SessionContext value={session}>{children}</SessionContext>;
}
