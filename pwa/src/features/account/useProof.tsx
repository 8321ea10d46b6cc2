import { Suspense, useState } from 'react';
import { ApiError } from '@/api/request.ts';
import type { Factors } from '@/api/types.ts';
import { fetchFactors } from '@/session/factors.ts';
import { useMember } from '@/session/session.ts';
import { lazyWithRetry } from '@/ui';

const ProofDialog = lazyWithRetry(() => import('./ProofDialog.tsx'));

/**
 * Returns `withProof`, which runs an action for which the server may require a proof of the last 10 minutes: it then asks
 * for the proof in `dialog` and runs the action again. It resolves to false if the member closes the dialog.
 */
export function useProof() {
  const me = useMember();
  const [asking, setAsking] = useState<{ factors?: Factors; end: (proved: boolean) => void }>();

  async function withProof(action: () => Promise<void>): Promise<boolean> {
    try {
      await action();
      return true;
    } catch (failure) {
      if (!(failure instanceof ApiError) || failure.code !== 'proof_required') throw failure;
    }
    const factors = await fetchFactors();
    const proved = await new Promise<boolean>((end) => setAsking({ factors, end }));
    setAsking(undefined);
    if (proved) await action();
    return proved;
  }

  const dialog = asking && (
    <Suspense>
      <ProofDialog
        factors={asking.factors}
        me={me}
        onClose={() => asking.end(false)}
        onProved={() => asking.end(true)}
      />
    </Suspense>
  );
  return { withProof, dialog };
}
