import { useEffect, useRef } from 'react';
import { verificationQuery } from '@/api/sharedRequests.ts';
import type { Me } from '@/api/types.ts';
import { queryClient } from '@/session/query.ts';
import { ConfirmDialog, toast } from '@/ui';

export const CONSEQUENCE =
  'Your verified badge will end, because it belongs to your name, your birthday and the photos we compared. A new selfie brings it back.';

/** Whether the profile loses its verification with these photos, in their order. */
export function endsVerification(
  me: Pick<Me, 'isVerified' | 'comparedPhotos'>,
  [first]: readonly string[],
): boolean {
  return me.isVerified && first !== undefined && !new Set(me.comparedPhotos).has(first);
}

type VerificationEndDialogProps = { confirm: string; onConfirm: () => void; onClose: () => void };

/** Asks before a change that ends the verification. */
export function VerificationEndDialog({ confirm, onConfirm, onClose }: VerificationEndDialogProps) {
  return (
    <ConfirmDialog
      cancel="Keep the badge"
      confirm={confirm}
      description={CONSEQUENCE}
      onClose={onClose}
      onConfirm={() => {
        onClose();
        onConfirm();
      }}
      title="End your verification?"
    />
  );
}

/** Tells the member when a change has ended the verification. */
export function useVerificationNotice({ isVerified }: Me): void {
  const wasVerified = useRef(isVerified);
  useEffect(() => {
    if (wasVerified.current && !isVerified) {
      toast({
        title: 'Your verification has ended',
        description: 'Send a new selfie from your profile to get the badge back.',
      });
      void queryClient.invalidateQueries(verificationQuery);
    }
    wasVerified.current = isVerified;
  }, [isVerified]);
}
