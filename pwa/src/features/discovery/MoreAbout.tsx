import { MessageCircle, MessageCircleHeart } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Candidate, PublicMember } from '@/api/types.ts';
import { describeMissingRest, fetchMember, readMember } from '@/domain/memberCache.ts';
import { factsOf } from '@/domain/profile/facts.ts';
import { profileOfCard } from '@/domain/profile/profileOfCard.ts';
import { wordLists } from '@/domain/profile/wordLists.ts';
import { wordListNames, wordsOf } from '@/domain/profile/words.ts';
import { AudioPlayer } from '@/media';
import { MemberMenu } from '@/member-menu/MemberMenu.tsx';
import { useFailure, useLive, useRefresh } from '@/offline/store/cached.ts';
import { paths } from '@/session/paths.ts';
import { Button, ButtonLink, Chip, CompatibilityCard, IconButton, RetryButton, Skeleton } from '@/ui';
import { Gallery } from './Gallery.tsx';
import type { LikeTarget } from './LikeSheet.tsx';

type MoreAboutProps = {
  member: Candidate;
  onLike: (target: LikeTarget) => void;
  /** Whether a button fetches the rest of the profile; otherwise it is fetched at once. */
  onDemand: boolean;
};

/** The rest of a member's profile, and the explanation of the compatibility. */
export default function MoreAbout({ member: card, onLike, onDemand }: MoreAboutProps) {
  const [isWanted, setIsWanted] = useState(!onDemand);
  const stored = useLive((db) => readMember(db, card.id), [card.id]);
  const request = useRefresh(['profile', card.id], (db) => fetchMember(db, card.id), { enabled: isWanted });
  const error = useFailure(request);
  const whole = stored && !stored.isCard ? stored.member : null;
  const member = whole ?? profileOfCard(card);
  return (
    <div className="flex flex-col gap-5">
      {whole && <Gallery member={whole} onLike={onLike} />}
      {!whole && isWanted && !error && <Skeleton className="h-11" />}
      {!whole && isWanted && error && (
        <div className="flex flex-wrap items-center gap-x-2 text-muted" role="status">
          {describeMissingRest(error)}
          <RetryButton className="-mx-3" onRetry={request.refetch} variant="ghost" />
        </div>
      )}
      {!whole && !isWanted && (
        <Button block onClick={() => setIsWanted(true)} size="sm" variant="secondary">
          Show {member.firstName}’s photos, answers and more
        </Button>
      )}
      {member.bio && (
        <p className="whitespace-pre-line" dir="auto">
          {member.bio}
        </p>
      )}
      <Facts facts={factsOf(member, 'more')} />
      <Chips label="Intentions" words={member.intentionTags} />
      {member.loveReflection && (
        <figure className="rounded-card bg-ember-soft p-5 text-ember-strong">
          <figcaption className="text-sm">What love means to me right now</figcaption>
          <blockquote className="mt-1 font-display text-lg" dir="auto">
            “{member.loveReflection}”
          </blockquote>
        </figure>
      )}
      {member.prompts.map((prompt) => (
        <PromptAnswer key={prompt.question} name={member.firstName} onLike={onLike} prompt={prompt} />
      ))}
      {wordListNames
        .filter((name) => !wordLists[name].icon)
        .map((name) => (
          <Chips key={name} label={wordLists[name].shownAs} labelShown words={wordsOf(member, name)} />
        ))}
      <CompatibilityCard compatibility={card.compatibility} />
      <div className="flex items-center gap-3">
        <ButtonLink className="flex-1" size="sm" to={paths.conversation(member.id)} variant="secondary">
          <MessageCircle aria-hidden="true" className="size-4.5" />
          Message {member.firstName}
        </ButtonLink>
        <Link
          className="inline-flex min-h-11 items-center font-semibold text-ember-strong underline underline-offset-4"
          to={paths.member(member.id)}
          viewTransition
        >
          View full profile
        </Link>
        <MemberMenu member={member} place="card" />
      </div>
    </div>
  );
}

/** Lines with an icon each. */
function Facts({ facts }: { facts: ReturnType<typeof factsOf> }) {
  if (facts.length === 0) return null;
  return (
    <ul className="grid gap-x-5 gap-y-2 text-muted sm:grid-cols-2">
      {facts.map(({ icon: Icon, text, label }) => (
        <li className="flex items-start gap-2" key={text}>
          <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
          {label && <span className="sr-only">{label}: </span>}
          <span className="min-w-0">{text}</span>
        </li>
      ))}
    </ul>
  );
}

type PromptAnswerProps = {
  prompt: PublicMember['prompts'][number];
  name: string;
  onLike: (target: LikeTarget) => void;
};

/** A written or spoken answer to a question, with a button that likes it. */
function PromptAnswer({ prompt, name, onLike }: PromptAnswerProps) {
  return (
    <section className="flex items-start gap-3">
      <div className="min-w-0 flex-1">
        <h3 className="text-muted text-sm">{prompt.question}</h3>
        {prompt.voice && (
          <AudioPlayer
            className="mt-2"
            label={`${name}'s answer to “${prompt.question}”`}
            recording={prompt.voice}
          />
        )}
        {prompt.answer && (
          <p className="mt-1 font-display text-lg" dir="auto">
            {prompt.answer}
          </p>
        )}
      </div>
      <IconButton
        aria-haspopup="dialog"
        className="text-ember-strong"
        icon={MessageCircleHeart}
        label={`Like the answer to “${prompt.question}”`}
        onClick={() => onLike({ prompt })}
        tone="surface"
      />
    </section>
  );
}

function Chips({
  label,
  words,
  labelShown = false,
}: {
  label: string;
  words: readonly string[];
  labelShown?: boolean;
}) {
  if (words.length === 0) return null;
  return (
    <section>
      {labelShown && <h3 className="mb-2 text-muted text-sm">{label}</h3>}
      <ul aria-label={label} className="flex flex-wrap gap-2">
        {words.map((word) => (
          <li key={word}>
            <Chip tone={labelShown ? 'neutral' : 'plum'}>{word}</Chip>
          </li>
        ))}
      </ul>
    </section>
  );
}
