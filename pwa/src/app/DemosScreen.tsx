import { Link } from 'react-router';
import { paths } from '@/session/paths.ts';
import { Screen } from '@/ui';

const demos = [
  {
    to: paths.messagingDemo,
    title: 'Messaging',
    text: 'Ticks, typing dots and a lost connection, with people who do not exist.',
  },
  { to: paths.mediaDemo, title: 'Voice, video and pictures', text: 'Record and play. Nothing is sent.' },
  {
    to: paths.sparksDemo,
    title: 'Connection sparks',
    text: 'The celebrations of matches, super likes and conversations.',
  },
  {
    to: paths.settingsTab('notifications'),
    title: 'Notifications',
    text: 'Sample notifications of this device, in the settings.',
  },
  { to: paths.test, title: 'Test', text: 'Whether the app is working.' },
];

/** Lists the demo pages. */
export default function DemosScreen() {
  return (
    <Screen back={paths.profileTab('settings')} title="Demos" width="reading">
      <p className="text-lg text-muted">
        Try how things work. No demo stores or sends anything, and nobody sees what you do.
      </p>
      <ul className="mt-6 flex flex-col gap-3">
        {demos.map(({ to, title, text }) => (
          <li key={to}>
            <Link className="card block p-4 hover:bg-raised" to={to}>
              <span className="block font-display font-semibold text-lg">{title}</span>
              <span className="text-muted">{text}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Screen>
  );
}
