import { paths } from '@/session/paths.ts';
import { ButtonLink } from '@/ui';
import { NearPeople } from './NearPeople.tsx';

/** The end of an empty list of people: roughly how many are near, and what helps besides other filters. */
export default function WhatHelps() {
  return (
    <>
      <NearPeople />
      <p className="mt-2 text-muted text-sm">
        A friend nearby makes it one more. Your invitation has a QR code to show.
      </p>
      <div className="flex flex-wrap justify-center">
        <ButtonLink to={paths.referrals} variant="ghost">
          Invite a friend
        </ButtonLink>
        <ButtonLink to={paths.community} variant="ghost">
          Read the community board
        </ButtonLink>
      </div>
    </>
  );
}
