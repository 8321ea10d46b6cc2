import { useState } from 'react';
import { MemberError } from '@/api/errors.ts';
import type { OpenedProfile, QueuedProfile } from '@/api/types.ts';
import { describeMember, slotLabels } from './adminLabels.ts';
import {
  decideProfileReviews,
  openProfileReview,
  type ProfileDecision,
  refreshQueue,
} from './adminRequests.ts';
import { EvidenceFiles, type File } from './EvidenceFiles.tsx';
import { MemberLink } from './MemberLink.tsx';
import { OpenForm } from './OpenForm.tsx';
import { Outcome } from './Outcome.tsx';
import { useClaim } from './queueRequests.ts';
import { ReasonedDecision } from './ReasonedDecision.tsx';
import { ReviewPicture } from './ReviewPicture.tsx';

const choices = [
  {
    value: 'accept' as const,
    label: 'Accept',
    hint: 'Others see it at once.',
    reason: 'Nothing against the rules.',
  },
  {
    value: 'decline' as const,
    label: 'Decline',
    hint: 'It stays hidden. The member sees the reason and can try again.',
  },
];

type ProfileEntryProps = { id: string; queued?: QueuedProfile; nextId?: string };

/** A profile that waits. Its contents are shown after a reason is given, and the outcome after the decision. */
export function ProfileEntry({ id, queued, nextId }: ProfileEntryProps) {
  const [opened, setOpened] = useState<OpenedProfile>();
  const [decision, setDecision] = useState<ProfileDecision>();
  // The row leaves the list with the decision, and with it the next one.
  const [next] = useState(nextId);
  const row = opened ?? queued;
  useClaim('profile', id, opened);

  async function open(reason: string) {
    setOpened(await openProfileReview(id, reason));
    void refreshQueue('profiles');
  }

  async function decide(value: ProfileDecision, reason: string) {
    const [result] = await decideProfileReviews([id], value, reason);
    if (result && !result.stored) throw new MemberError(result.problem);
    setDecision(value);
    void refreshQueue('profiles');
  }

  return (
    <article aria-label="Profile" className="flex flex-col gap-5">
      <section className="card flex flex-col gap-4 p-5">
        <h2 className="font-display font-semibold text-xl" dir="auto">
          {opened ? <MemberLink member={opened.user} /> : queued ? describeMember(queued.user) : 'A profile'}
        </h2>
        {row && (
          <p className="text-muted">
            {row.subject === 'profile'
              ? 'A new profile. Nobody finds it until it is accepted.'
              : 'A new first photo. Others see the rest of the profile.'}
          </p>
        )}
        {!opened && <OpenForm label="Open profile" onOpen={open} />}
      </section>
      {decision ? (
        <Outcome nextId={next} tab="profiles" title={decision === 'accept' ? 'Accepted' : 'Declined'}>
          <p>The member gets an email about it.</p>
        </Outcome>
      ) : (
        opened && <Contents decide={decide} opened={opened} />
      )}
    </article>
  );
}

type ContentsProps = {
  opened: OpenedProfile;
  decide: (value: ProfileDecision, reason: string) => Promise<void>;
};

function Contents({ opened: { profile, subject, user }, decide }: ContentsProps) {
  const files = filesOf(profile);
  const texts = textsOf(profile);
  return (
    <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="card flex flex-col gap-5 p-5">
        <div className="grid gap-4 sm:grid-cols-2">
          {profile.photos.map((photo, index) => (
            <ReviewPicture
              address={photo.url}
              key={photo.id}
              label={
                index === 0 && subject === 'photo'
                  ? 'The new first photo'
                  : photo.caption || `Photo ${index + 1}`
              }
            />
          ))}
          {profile.photos.length === 0 && <p className="text-muted">The profile has no photos yet.</p>}
        </div>
        {texts.length > 0 ? (
          <dl className="flex flex-col gap-3">
            {texts.map(([label, text]) => (
              <div key={label}>
                <dt className="text-muted text-sm">{label}</dt>
                <dd className="wrap-anywhere whitespace-pre-line" dir="auto">
                  {text}
                </dd>
              </div>
            ))}
          </dl>
        ) : (
          <p className="text-muted">The profile has no texts yet.</p>
        )}
        {files.length > 0 && <EvidenceFiles files={files} />}
      </div>
      <div className="xl:sticky xl:top-20">
        <ReasonedDecision
          choices={choices}
          done={`${user.firstName}'s ${subject} is decided`}
          hint="A declined member sees it."
          onDecide={decide}
        />
      </div>
    </div>
  );
}

type Profile = OpenedProfile['profile'];

/** The texts that the member wrote. */
function textsOf(profile: Profile): [label: string, text: string][] {
  const texts: [string, string][] = [
    ['About', profile.bio],
    ['Love reflection', profile.loveReflection],
    ['Occupation', profile.occupation],
    ['Looking for', profile.intentionTags.join(', ')],
    ...profile.prompts.map(({ question, answer }): [string, string] => [question, answer]),
  ];
  return texts.filter(([, text]) => text);
}

/** The files beside the photos. An address with a query is not stored on the device. */
function filesOf(profile: Profile): File[] {
  const { headerBannerImage, audioGreeting, videoGreeting, galleryImages, galleryVideos, prompts } = profile;
  const picture = (label: string, file: { id: string; url: string }): File => ({
    id: file.id,
    label,
    mimeType: 'image/webp',
    url: `${file.url}?review`,
  });
  const recording = (label: string, file: { id: string; url: string; mimeType: string }): File => ({
    id: file.id,
    label,
    mimeType: file.mimeType,
    url: `${file.url}?review`,
  });
  return [
    ...(headerBannerImage ? [picture(slotLabels.header_banner, headerBannerImage)] : []),
    ...galleryImages.map((file) => picture(slotLabels.gallery_image, file)),
    ...(audioGreeting ? [recording(slotLabels.audio_greeting, audioGreeting)] : []),
    ...(videoGreeting ? [recording(slotLabels.video_greeting, videoGreeting)] : []),
    ...galleryVideos.map((file) => recording(slotLabels.gallery_video, file)),
    ...prompts.flatMap(({ voice }) => (voice ? [recording(slotLabels.prompt, voice)] : [])),
  ];
}
