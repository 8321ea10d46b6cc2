import type { ReactNode } from 'react';

const line = { fill: 'none', strokeLinecap: 'round', strokeLinejoin: 'round', strokeWidth: 2.5 } as const;

/** The path of Safari's Share icon. */
const share = 'M-6-2h-3v14H9V-2H6M0 5v-16M-5-6l5-5 5 5';

const steps: { title: string; text: string; picture: ReactNode }[] = [
  {
    title: 'Tap Share',
    text: 'At the foot of Safari, or at the top on an iPad. You may find it behind the three dots.',
    picture: (
      <>
        <rect className="fill-surface" height="74" rx="10" width="84" x="18" y="-10" />
        <path className="stroke-line" d="M32 14h56M32 26h40" {...line} />
        <rect className="fill-plum-soft" height="22" rx="8" width="84" x="18" y="44" />
        <path className="stroke-muted" d="m34 50-5 5 5 5M82 51h6v8h-6Z" {...line} />
        <circle className="fill-ember-soft" cx="60" cy="54" r="17" />
        <path className="stroke-ember" d={share} transform="translate(60 54) scale(.8)" {...line} />
      </>
    ),
  },
  {
    title: 'Choose “Add to Home Screen”',
    text: 'Scroll down a little in the list, then tap Add.',
    picture: (
      <>
        <rect className="fill-surface" height="64" rx="10" width="92" x="14" y="8" />
        <path className="stroke-line" d="M26 20h44M26 62h38" {...line} />
        <rect className="fill-ember-soft" height="26" rx="7" width="84" x="18" y="28" />
        <path className="stroke-ink" d="M28 41h40" {...line} />
        <rect className="stroke-ember" height="16" rx="4" width="16" x="80" y="33" {...line} />
        <path className="stroke-ember" d="M88 37v8M84 41h8" {...line} />
      </>
    ),
  },
  {
    title: 'Open Heartward from there',
    text: 'It then works like any app and can notify you.',
    picture: (
      <>
        <rect className="fill-surface" height="84" rx="10" width="84" x="18" y="6" />
        {[28, 51, 74].map((x) => (
          <rect className="fill-raised" height="16" key={x} rx="5" width="16" x={x} y="16" />
        ))}
        <rect className="fill-raised" height="16" rx="5" width="16" x="28" y="40" />
        <rect className="fill-raised" height="16" rx="5" width="16" x="74" y="40" />
        <rect className="fill-ember" height="24" rx="7" width="24" x="47" y="37" />
        <path
          className="fill-on-ember"
          d="M59 41c1 5 6 6.5 6 11.5a6 6 0 0 1-12 0c0-3 1.500-4.500 2.800-6.200.4 1.200.9 1.800 1.600 2.300.1-2.900.5-5.500 1.600-7.600Z"
        />
      </>
    ),
  },
];

/** The three steps to install the app on an iPhone or iPad, where a page cannot prompt for it. */
export function InstallSteps() {
  return (
    <ol className="flex flex-col gap-3">
      {steps.map(({ title, text, picture }, index) => (
        <li className="flex items-center gap-4" key={title}>
          <svg aria-hidden="true" className="w-28 shrink-0 rounded-control bg-raised" viewBox="0 0 120 80">
            {picture}
          </svg>
          <span className="min-w-0 flex-1">
            <span className="block font-semibold">
              {index + 1}. {title}
            </span>
            <span className="block text-muted text-sm">{text}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}
