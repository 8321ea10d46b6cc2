import { useState } from 'react';
import type { CoupleRequest } from '@/api/types.ts';
import { useDb } from '@/offline/store/cached.ts';
import { useMember } from '@/session/session.ts';
import { Avatar, Button, ConfirmDialog, toast, useAction } from '@/ui';
import { accept, decline } from './graduation.ts';
import { PictureRow } from './PictureRow.tsx';
import { WallFields } from './WallFields.tsx';

/** A partner's request, with the own part of it: yes or no, and the consent to the wall. */
export function RequestCard({ request }: { request: CoupleRequest }) {
  const db = useDb();
  const me = useMember();
  const { from, legacyMessage, onWall } = request;
  const [consent, setConsent] = useState({ showOnLegacyWall: onWall, pictures: [] as string[] });
  const [declining, setDeclining] = useState(false);

  async function sendAnswer(change: () => Promise<void>, title: string) {
    try {
      await change();
      toast({ title });
    } catch (failure) {
      setDeclining(false);
      throw failure;
    }
  }
  const [run, { isBusy }] = useAction(sendAnswer, { staysBusy: true });

  return (
    <section aria-label={`${from.firstName} asks`} className="card flex flex-col gap-4 p-5">
      <Head from={from} />
      {legacyMessage && (
        <blockquote className="wrap-anywhere whitespace-pre-line border-plum border-s-4 ps-4" dir="auto">
          {legacyMessage}
        </blockquote>
      )}
      <PictureRow pictures={request.pictures ?? []} title={`${from.firstName}'s pictures for the wall`}>
        <p className="mt-2 text-muted text-sm">
          By saying yes, you agree to them. You can take them off the wall at any time.
        </p>
      </PictureRow>
      <WallFields onChange={setConsent} pictures={[...me.photos, ...me.galleryImages]} value={consent} />
      <div className="flex flex-wrap gap-3">
        <Button busy={isBusy} onClick={() => run(() => accept(db, request, consent), 'Congratulations! 🎉')}>
          Yes, graduate together
        </Button>
        <Button disabled={isBusy} onClick={() => setDeclining(true)} variant="secondary">
          Not now
        </Button>
      </div>
      {declining && (
        <ConfirmDialog
          busy={isBusy}
          cancel="Back"
          confirm="Decline"
          description={`${from.firstName} sees that you would rather wait. Your match and your conversation stay.`}
          onClose={() => setDeclining(false)}
          onConfirm={() => run(() => decline(db, request.id), 'Declined')}
          title="Not now?"
          variant="primary"
        />
      )}
    </section>
  );
}

const Head = ({ from }: { from: CoupleRequest['from'] }) => (
  <div className="flex flex-wrap items-center gap-3">
    <Avatar size="lg" user={from} />
    <div className="min-w-[min(100%,12rem)] flex-1">
      <h2 className="font-display font-semibold text-xl">
        <bdi>{from.firstName}</bdi> wants to graduate with you
      </h2>
      <p className="text-muted text-sm">You both leave dating when a moderator has approved it.</p>
    </div>
  </div>
);
