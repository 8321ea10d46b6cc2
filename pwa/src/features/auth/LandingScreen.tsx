import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router';
import { paths } from '@/session/paths.ts';
import { queryClient } from '@/session/query.ts';
import { Badge, ButtonLink, Chip, Logo } from '@/ui';
import { landingQuery } from './landing.ts';
import { features, heads, questions, steps } from './landingTexts.ts';
import { SampleCard } from './SampleCard.tsx';

// Requested while the app asks who is signed in.
void queryClient.prefetchQuery(landingQuery);

type LandingScreenProps = {
  /** Stories of couples; nothing while there are none. */
  stories: ReactNode;
};

/** The page / for signed-out visitors. Without an answer of the server it is the first variant. */
export default function LandingScreen({ stories }: LandingScreenProps) {
  const { data: variant = 'a', isPending } = useQuery(landingQuery);
  useEffect(() => {
    document.title = 'Heartward · Dating with intention. Always free.';
  }, []);
  if (isPending) return <div className="min-h-dvh" />;
  return (
    <div className="overflow-x-clip pt-safe pb-safe">
      <header className="mx-auto flex min-h-16 max-w-[1152px] flex-wrap items-center gap-2 px-safe">
        <span className="wrap-break-word flex flex-1 items-center gap-2 font-display font-semibold text-xl">
          <Logo className="size-9" />
          Heartward
        </span>
        <ButtonLink size="sm" to={paths.login} variant="ghost">
          Sign In
        </ButtonLink>
        <span className="hidden min-[380px]:block">
          <ButtonLink size="sm" to={paths.signUp}>
            Join Now
          </ButtonLink>
        </span>
      </header>
      <main id="main">
        <Hero {...heads[variant]} />
        <Features />
        <HowItWorks />
        <Questions />
        {stories}
        <Closing />
      </main>
      <Footer />
    </div>
  );
}

/** A button that leads to the sign-up. */
function Join({ children }: { children: ReactNode }) {
  return (
    <div className="mt-10">
      <ButtonLink size="lg" to={paths.signUp}>
        {children}
      </ButtonLink>
    </div>
  );
}

function Hero({ title, text, join }: (typeof heads)['a']) {
  return (
    <section className="mx-auto grid max-w-[1152px] items-center gap-12 px-safe pt-8 pb-16 md:pt-16 lg:grid-cols-[7fr_5fr] lg:pb-24">
      <div>
        <Badge className="py-2 min-[380px]:px-4 min-[380px]:text-sm" tone="ember">
          Free to Join • Free Messaging • Real Connections
        </Badge>
        <h1 className="mt-6 font-display font-semibold text-3xl md:text-4xl lg:max-w-xl">{title}</h1>
        <p className="mt-4 max-w-lg text-lg text-muted">{text}</p>
        <div className="mt-8 flex flex-col gap-3 sm:flex-row">
          <ButtonLink size="lg" to={paths.signUp}>
            {join}
          </ButtonLink>
          <ButtonLink size="lg" to={paths.login} variant="secondary">
            I have an account
          </ButtonLink>
        </div>
        <div className="mt-6 flex flex-wrap gap-2">
          <Chip>Instant Messaging</Chip>
          <Chip>Video Messages</Chip>
          <Chip>Voice Notes</Chip>
        </div>
      </div>
      <div className="@container">
        <figure className="relative mx-auto hidden h-[420px] w-full max-w-sm @min-[17rem]:block lg:h-[500px] lg:max-w-md">
          <SampleCard
            className="-rotate-4 absolute top-0 left-0 w-[62%]"
            scene="morning"
            name="Theo, 34"
            tags={['Friendship']}
            town="Asheville"
          />
          <SampleCard
            className="absolute right-0 bottom-0 w-[66%] rotate-3"
            scene="evening"
            name="Ines, 31"
            tags={['Long-term', 'Healing']}
            town="Savannah"
          />
          <figcaption className="absolute bottom-0 left-0 text-muted text-sm">Sample profiles</figcaption>
        </figure>
      </div>
    </section>
  );
}

function Features() {
  return (
    <section aria-labelledby="features" className="bg-raised">
      <div className="mx-auto max-w-[1152px] px-safe py-14">
        <h2 className="sr-only" id="features" tabIndex={-1}>
          Features
        </h2>
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,17rem),1fr))] gap-4">
          {features.map(({ icon: Icon, title, text }) => (
            <div className="card p-[20px]" key={title}>
              <Icon aria-hidden="true" className="size-7 text-ember" strokeWidth={1.75} />
              <h3 className="mt-4 font-display font-semibold text-lg">{title}</h3>
              <p className="mt-1 text-muted">{text}</p>
            </div>
          ))}
        </div>
        <Join>Join Free Today</Join>
      </div>
    </section>
  );
}

function HowItWorks() {
  return (
    <section className="mx-auto max-w-[1152px] px-safe py-16">
      <h2 className="font-display font-semibold text-2xl" id="how" tabIndex={-1}>
        How It Works
      </h2>
      <ol className="mt-8 grid grid-cols-[repeat(auto-fit,minmax(min(100%,14rem),1fr))] gap-8">
        {steps.map(({ title, text }, index) => (
          <li className="border-ember border-t-2 pt-4" key={title}>
            <span className="font-display font-semibold text-ember-strong text-xl">{index + 1}</span>
            <h3 className="mt-1 font-semibold text-lg">{title}</h3>
            <p className="mt-1 text-muted">{text}</p>
          </li>
        ))}
      </ol>
      <Join>Start Free Today</Join>
    </section>
  );
}

function Questions() {
  return (
    <section className="mx-auto max-w-3xl px-safe pb-16">
      <h2 className="font-display font-semibold text-2xl" id="questions" tabIndex={-1}>
        Good questions
      </h2>
      <div className="mt-6 flex flex-col gap-3">
        {questions.map(({ ask, answer }) => (
          <details className="card group px-5" key={ask}>
            <summary className="flex min-h-14 items-center justify-between gap-4 font-semibold marker:content-none">
              {ask}
              <span
                aria-hidden="true"
                className="text-ember text-xl transition-transform group-open:rotate-45"
              >
                +
              </span>
            </summary>
            <p className="pb-5 text-muted">{answer}</p>
          </details>
        ))}
      </div>
      <Join>Find Your Soulmate Today</Join>
    </section>
  );
}

function Closing() {
  return (
    <section className="bg-plum-soft">
      <div className="mx-auto flex max-w-3xl flex-col items-center gap-6 px-safe py-16 text-center">
        <Logo className="size-16" lively />
        <h2 className="font-display font-semibold text-2xl text-plum md:text-3xl">The door is open.</h2>
        <ButtonLink size="lg" to={paths.signUp}>
          Begin Your Love Journey Now
        </ButtonLink>
      </div>
    </section>
  );
}

const footerLink = 'inline-flex min-h-11 items-center text-left hover:underline';

function Footer() {
  return (
    <footer className="border-line border-t">
      <div className="mx-auto grid max-w-[1152px] gap-8 px-safe py-10 text-muted text-sm grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))]">
        <p>Heartward. Dating with intention. Always free.</p>
        <FooterList title="Features">
          {features.map(({ title }) => (
            <SectionLink id="features" key={title}>
              {title}
            </SectionLink>
          ))}
        </FooterList>
        <FooterList title="Support">
          <SectionLink id="how">How It Works</SectionLink>
          <SectionLink id="questions">Good questions</SectionLink>
          <Link className={footerLink} to={paths.safety} viewTransition>
            Safety center
          </Link>
          <Link className={footerLink} to={`${paths.safety}#contact`} viewTransition>
            Contact and imprint
          </Link>
          <Link className={footerLink} to={paths.community} viewTransition>
            Community
          </Link>
          <Link className={footerLink} to={paths.legacyWall} viewTransition>
            Legacy Wall
          </Link>
          <Link className={footerLink} to={paths.login} viewTransition>
            Sign in
          </Link>
          <Link className={footerLink} to={paths.signUp} viewTransition>
            Sign up
          </Link>
        </FooterList>
      </div>
    </footer>
  );
}

function FooterList({ title, children }: { title: string; children: ReactNode[] | ReactNode }) {
  return (
    <div>
      <h2 className="font-semibold text-ink">{title}</h2>
      <div className="mt-1 flex flex-col items-start">{children}</div>
    </div>
  );
}

/** Scrolls to a section of this page and focuses its heading. The router would take a link for a navigation. */
function SectionLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <a
      className={footerLink}
      href={`#${id}`}
      onClick={(event) => {
        event.preventDefault();
        document.getElementById(id)?.focus();
      }}
    >
      {children}
    </a>
  );
}
