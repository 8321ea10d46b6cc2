import {
  Bell,
  EyeOff,
  Film,
  FlaskConical,
  Gavel,
  Gift,
  HeartHandshake,
  HeartPulse,
  LifeBuoy,
  Mail,
  MessagesSquare,
  Palette,
  SlidersHorizontal,
} from 'lucide-react';
import type { Me } from '@/api/types.ts';
import { paths } from '@/session/paths.ts';
import { SignOutButton } from '@/session/SignOutButton.tsx';
import { ButtonLink } from '@/ui';
import { DataExport } from './DataExport.tsx';
import { DeleteAccount } from './DeleteAccount.tsx';
import { Devices } from './Devices.tsx';
import { EmailAddress } from './EmailAddress.tsx';
import { Passkeys } from './Passkeys.tsx';
import { PasswordForm } from './PasswordForm.tsx';

/** Links to the settings, the password, the email address, the passkeys, the devices, the export, Sign Out and the deletion of the account. */
export default function Settings({ me }: { me: Me }) {
  return (
    <div className="flex flex-col gap-4">
      <SettingsLinks />
      <section className="card p-5">
        <h2 className="font-display font-semibold text-lg">Password</h2>
        <p className="mt-1 mb-4 text-muted">
          {me.hasPassword
            ? 'You can sign in with your password or with a code by email.'
            : 'You sign in with a code by email. A password is optional.'}
        </p>
        <PasswordForm me={me} />
      </section>
      <EmailAddress me={me} />
      <Passkeys me={me} />
      <Devices />
      <DataExport />
      <section className="card flex flex-wrap items-center justify-between gap-4 p-5">
        <div>
          <h2 className="font-display font-semibold text-lg">Account Actions</h2>
          <p className="mt-1 text-muted">Signing out removes your messages and photos from this device.</p>
        </div>
        <SignOutButton />
        <DeleteAccount />
      </section>
    </div>
  );
}

const rows = [
  {
    icon: Bell,
    title: 'Notifications',
    text: 'What to notify you about, and when.',
    action: 'Configure',
    to: paths.settingsTab('notifications'),
  },
  {
    icon: Mail,
    title: 'Email Notifications',
    text: 'Which emails you get.',
    action: 'Configure',
    to: paths.emailSettings,
  },
  {
    icon: Palette,
    title: 'Appearance',
    text: 'Light, dark or taco.',
    action: 'Change',
    to: paths.settingsTab('appearance'),
  },
  {
    icon: SlidersHorizontal,
    title: 'Filters',
    text: 'Whom you want to see, and where.',
    action: 'Change',
    to: paths.settingsTab('filters'),
  },
  {
    icon: Film,
    title: 'Media',
    text: 'How voice and video messages play and download.',
    action: 'Change',
    to: paths.settingsTab('media'),
  },
  {
    icon: EyeOff,
    title: 'Privacy Settings',
    text: 'Who sees you, and whom you have blocked.',
    action: 'Manage',
    to: paths.settingsTab('privacy'),
  },
  {
    icon: Gift,
    title: 'Premium Subscription',
    text: 'Free. You upgrade by inviting friends.',
    action: 'Upgrade',
    to: paths.perks,
  },
  {
    icon: HeartPulse,
    title: 'Love Pulse',
    text: 'One question a day, for you alone.',
    action: 'Open',
    to: paths.lovePulse,
  },
  {
    icon: MessagesSquare,
    title: 'Community',
    text: 'Stories and advice of members, and your own.',
    action: 'Open',
    to: paths.community,
  },
  {
    icon: HeartHandshake,
    title: 'Graduation',
    text: 'Leave dating as a couple, and the Legacy Wall.',
    action: 'Open',
    to: paths.graduation,
  },
  {
    icon: LifeBuoy,
    title: 'Safety Center',
    text: 'Advice, the rules, and what happens after a report.',
    action: 'Open',
    to: paths.safety,
  },
  {
    icon: Gavel,
    title: 'Reports and decisions',
    text: 'What you reported, and what moderators decided.',
    action: 'Open',
    to: paths.decisions,
  },
  {
    icon: FlaskConical,
    title: 'Demos',
    text: 'Try messages, recordings and celebrations. Nothing is sent.',
    action: 'Open',
    to: paths.demos,
  },
];

/** Links to the settings screens. */
function SettingsLinks() {
  return (
    <ul className="card divide-y divide-line px-5">
      {rows.map(({ icon: Icon, title, text, action, to }) => (
        <li className="relative flex flex-wrap items-center gap-x-4 gap-y-2 py-4" key={title}>
          <Icon aria-hidden="true" className="size-5.5 shrink-0 text-ember" />
          <div className="min-w-[min(100%,7rem)] flex-1">
            <h2 className="font-semibold">{title}</h2>
            <p className="text-muted text-sm">{text}</p>
          </div>
          {/* The link covers its row. */}
          <ButtonLink
            aria-label={`${action}: ${title}`}
            className="after:absolute after:inset-0"
            size="sm"
            to={to}
            variant="secondary"
          >
            {action}
          </ButtonLink>
        </li>
      ))}
    </ul>
  );
}
