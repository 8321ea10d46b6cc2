import { Link } from 'react-router';
import type { Prompt, PublicMember } from '@/api/types.ts';
import { factsOf } from '@/domain/profile/facts.ts';
import { AudioPlayer } from '@/media/index.ts';
import { paths } from '@/session/paths.ts';
import { Avatar, Photo } from '@/ui';

/** What one reads of a member before the first message: a photo, the facts, the bio and the answers. */
export function MemberSummary({ member }: { member: PublicMember }) {
  const { id, firstName, age, bio, prompts, photos } = member;
  const photo = photos[0];
  return (
    <section aria-label={`About ${firstName}`} className="card flex flex-col gap-4 p-4 text-start">
      <div className="flex flex-wrap gap-4">
        {photo ? (
          <Photo
            alt={photo.caption || `${firstName}’s photo`}
            className="w-28 shrink-0 self-start rounded-control"
            placeholder={photo.placeholder}
            ratio="4/5"
            src={photo.thumbUrl}
          />
        ) : (
          <Avatar size="xl" user={member} />
        )}
        <div className="min-w-[min(100%,8rem)] flex-1">
          <h3 className="wrap-anywhere font-display font-semibold text-xl">
            <bdi>{firstName}</bdi>, {age}
          </h3>
          <ul className="mt-1 flex flex-col gap-1 text-muted text-sm">
            {factsOf(member, 'profile').map(({ icon: Icon, text, label }) => (
              <li className="flex items-start gap-1.5" key={text}>
                <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
                {label && <span className="sr-only">{label}: </span>}
                <span className="min-w-0">{text}</span>
              </li>
            ))}
          </ul>
        </div>
      </div>
      {bio && (
        <p className="line-clamp-4 wrap-anywhere" dir="auto">
          {bio}
        </p>
      )}
      {prompts.map((prompt) => (
        <Answer firstName={firstName} key={prompt.question} prompt={prompt} />
      ))}
      <Link
        className="inline-flex min-h-11 items-center self-start font-semibold text-ember-strong underline underline-offset-4"
        to={paths.member(id)}
        viewTransition
      >
        See the whole profile
      </Link>
    </section>
  );
}

function Answer({ prompt, firstName }: { prompt: Prompt; firstName: string }) {
  const { question, answer, voice } = prompt;
  return (
    <div>
      <h4 className="text-muted text-sm">{question}</h4>
      {voice && (
        <AudioPlayer className="mt-2" label={`${firstName}’s answer to “${question}”`} recording={voice} />
      )}
      {answer && (
        <p className="mt-1 wrap-anywhere whitespace-pre-line font-display text-lg" dir="auto">
          {answer}
        </p>
      )}
    </div>
  );
}
