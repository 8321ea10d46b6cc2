import { useState } from 'react';
import type { OwnCouple } from '@/api/types.ts';
import { formatDate } from '@/base/format.ts';
import { useDb } from '@/offline/store/cached.ts';
import { paths } from '@/session/paths.ts';
import { Avatar, Button, ButtonLink, ConfirmDialog, Illustration, useAction } from '@/ui';
import { StepTitle } from './AskFlow.tsx';
import { agree, setWall, withdraw } from './graduation.ts';
import { PictureRow } from './PictureRow.tsx';
import { WallFields } from './WallFields.tsx';

/** The member's couple: what happens next, the own part of the wall, and the way out. */
export function CoupleCard({ couple }: { couple: OwnCouple }) {
  return (
    <section aria-label="Your graduation" className="card flex flex-col gap-5 p-5">
      {couple.status === 'graduated' ? <Graduated couple={couple} /> : <Waiting couple={couple} />}
      {couple.legacyMessage && (
        <blockquote className="wrap-anywhere whitespace-pre-line border-plum border-s-4 ps-4" dir="auto">
          {couple.legacyMessage}
        </blockquote>
      )}
      <PartnersPictures couple={couple} />
      <OwnWall couple={couple} />
      <Withdraw isGraduated={couple.status === 'graduated'} />
    </section>
  );
}

const nameOf = ({ partner, partnerAddress }: OwnCouple) =>
  partner?.firstName ?? partnerAddress ?? 'your partner';

function Waiting({ couple }: { couple: OwnCouple }) {
  const isPending = couple.status === 'pending';
  return (
    <div className="flex flex-wrap items-start gap-4">
      {couple.partner && <Avatar size="lg" user={couple.partner} />}
      <div className="min-w-[min(100%,12rem)] flex-1">
        <StepTitle step={3}>{isPending ? 'A moderator looks at it now' : 'Waiting for the answer'}</StepTitle>
        <p className="wrap-anywhere mt-1 text-muted">
          {isPending ? (
            <>
              You and <bdi>{nameOf(couple)}</bdi> have both said yes. We'll tell you as soon as it is
              approved.
            </>
          ) : (
            <>
              If <bdi>{nameOf(couple)}</bdi> is one of your matches, the request is on their screen. It ends
              automatically after 30 days.
            </>
          )}
        </p>
      </div>
    </div>
  );
}

function Graduated({ couple }: { couple: OwnCouple }) {
  return (
    <div className="flex flex-col items-center text-center">
      <Illustration className="w-44 max-w-full" name="hearts" />
      <h2 className="mt-3 font-display font-semibold text-xl">You have graduated!</h2>
      <p className="mt-1 text-balance text-muted">
        You and <bdi>{nameOf(couple)}</bdi> left dating together
        {couple.graduatedAt && <> on {formatDate(couple.graduatedAt)}</>}. You no longer appear in Discover;
        your conversations stay.
      </p>
      <div className="mt-4 flex flex-wrap justify-center gap-3">
        <ButtonLink to={paths.together}>Your space together</ButtonLink>
        <ButtonLink to={paths.legacyWall} variant="secondary">
          See the Legacy Wall
        </ButtonLink>
      </div>
    </div>
  );
}

/** The consent to the wall. Pictures can only be taken off it, because a moderator has seen no other. */
function OwnWall({ couple }: { couple: OwnCouple }) {
  const db = useDb();
  const pictures = couple.pictures ?? [];
  const shown = pictures.map(({ id }) => id);
  const isWaiting = couple.status !== 'asked' && pictures.some(({ isAgreed }) => !isAgreed);
  const [change, { isBusy }] = useAction(setWall);

  return (
    <fieldset disabled={isBusy}>
      <WallFields
        label="Your pictures on the wall. You can't put one back once you take it off."
        onChange={(value) => void change(db, value)}
        pictures={pictures}
        value={{ showOnLegacyWall: couple.onWall, pictures: shown }}
      />
      {couple.onWall && couple.status !== 'asked' && !couple.partnerOnWall && (
        <p className="mt-2 text-muted text-sm">
          You are not on the wall: <bdi>{nameOf(couple)}</bdi> does not want it, or not yet.
        </p>
      )}
      {couple.onWall && isWaiting && (
        <p className="mt-2 text-muted text-sm">
          <bdi>{nameOf(couple)}</bdi> has not agreed to all of your pictures. The wall shows the others.
        </p>
      )}
    </fieldset>
  );
}

/** The partner's pictures for the wall, which shows them while the member agrees. */
function PartnersPictures({ couple }: { couple: OwnCouple }) {
  const db = useDb();
  const pictures = couple.partnerPictures ?? [];
  const isAgreed = pictures.every((picture) => picture.isAgreed);
  const [change, { isBusy }] = useAction(() => agree(db, isAgreed ? [] : pictures.map(({ id }) => id)));
  const name = nameOf(couple);
  return (
    <PictureRow pictures={pictures} title={`${name}'s pictures for the wall`}>
      <p className="mt-2 text-muted text-sm">
        {isAgreed ? 'You both want them on the wall.' : 'They are on the wall only if you want that, too.'}
      </p>
      <Button
        busy={isBusy}
        className="mt-2"
        onClick={() => void change()}
        variant={isAgreed ? 'secondary' : 'primary'}
      >
        {isAgreed ? `Take ${name}'s pictures off the wall` : `Show ${name}'s pictures on the wall`}
      </Button>
    </PictureRow>
  );
}

function Withdraw({ isGraduated }: { isGraduated: boolean }) {
  const db = useDb();
  const [asking, setAsking] = useState(false);
  const [confirm, { isBusy }] = useAction(() => withdraw(db).finally(() => setAsking(false)));

  return (
    <>
      <Button className="self-start" onClick={() => setAsking(true)} variant="secondary">
        Withdraw
      </Button>
      {asking && (
        <ConfirmDialog
          busy={isBusy}
          cancel="Keep it"
          confirm="Withdraw"
          description={
            isGraduated
              ? 'You leave the Legacy Wall at once. You stay out of Discover until you choose to come back, and so does your partner.'
              : 'The request ends, and your partner sees that. You can ask again.'
          }
          onClose={() => setAsking(false)}
          onConfirm={confirm}
          title={isGraduated ? 'Withdraw your graduation?' : 'Withdraw the request?'}
        />
      )}
    </>
  );
}
