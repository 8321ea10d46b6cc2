import { BadgeCheck, Ban, Heart, ShieldCheck, Sprout } from 'lucide-react';
import { useState } from 'react';
import { paths } from '@/session/paths.ts';
import { useMe } from '@/session/session.ts';
import { Button, ButtonLink, Screen } from '@/ui';
import { useServedText } from '@/ui/ServedText.tsx';
import { IssueDialog } from './IssueDialog.tsx';
import texts from './rules.json';

/** The pictures of the rules, in their order. */
const icons = [BadgeCheck, Heart, ShieldCheck, Sprout];

/**
 * /community/rules: the rules of the board, and the way to report an issue. Everyone can read it. The server writes the
 * same texts into the document, for readers without JavaScript.
 */
export default function RulesScreen() {
  const { me } = useMe();
  useServedText(true);
  const [isReporting, setReporting] = useState(false);
  return (
    <Screen back={paths.community} title="Respect the Vibe" width="reading">
      <p className="mb-5 text-balance text-muted">{texts.intro}</p>
      <ul className="grid gap-4 sm:grid-cols-2">
        {texts.rules.map(({ title, text }, index) => {
          const Icon = icons[index] ?? Heart;
          return (
            <li className="card p-5" key={title}>
              <h2 className="flex items-center gap-3 font-display font-semibold text-lg">
                <Icon aria-hidden="true" className="size-6 shrink-0 text-ember" />
                {title}
              </h2>
              <p className="mt-2">{text}</p>
            </li>
          );
        })}
      </ul>
      <section aria-labelledby="not-allowed" className="card mt-4 p-5">
        <h2 className="flex items-center gap-3 font-display font-semibold text-lg" id="not-allowed">
          <Ban aria-hidden="true" className="size-6 shrink-0 text-danger" />
          {texts.notAllowed.title}
        </h2>
        <ul className="mt-3 flex list-disc flex-col gap-2 ps-5 marker:text-danger">
          {texts.notAllowed.items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      </section>
      <section
        aria-labelledby="issue"
        className="mt-4 flex flex-col items-start gap-3 rounded-card bg-plum-soft p-5 text-plum"
      >
        <h2 className="font-display font-semibold text-lg" id="issue">
          {texts.issue.title}
        </h2>
        <p>{texts.issue.text}</p>
        <Button onClick={() => setReporting(true)}>Report an Issue</Button>
      </section>
      <div className="flex flex-wrap justify-center gap-3 py-6">
        <ButtonLink to={paths.community} variant="secondary">
          Read the stories
        </ButtonLink>
        <ButtonLink to={paths.safety} variant="secondary">
          Safety center
        </ButtonLink>
      </div>
      {isReporting && <IssueDialog isSignedIn={me !== null} onClose={() => setReporting(false)} />}
    </Screen>
  );
}
