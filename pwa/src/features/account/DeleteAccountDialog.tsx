import { api, unwrap } from '@/api/client.ts';
import { preserveTheme } from '@/base/storage.ts';
import { useOnline } from '@/offline/device/online.ts';
import { blankAndNavigate, wipeDevice } from '@/offline/device/wipe.ts';
import { paths } from '@/session/paths.ts';
import { whileSessionEnds } from '@/session/session.ts';
import { ConfirmDialog, useAction } from '@/ui';
import { useProof } from './useProof.tsx';

/**
 * Asks for the deletion and, once the server has accepted it, wipes the device and shows the sign-in screen, which says
 * what happens next and lets the member come back.
 */
async function deleteAccount(): Promise<void> {
  // The response makes the browser clear its storage, so the theme is read before the request.
  await whileSessionEnds(async () => {
    await preserveTheme(async () => {
      await unwrap(api.POST('/api/users/me/deletion'));
      await wipeDevice();
    });
    blankAndNavigate(() => location.replace(paths.loginAfterDeletion));
  });
}

const consequences = [
  'You are hidden from everyone at once, and signed out on all your devices. Unsent messages will be lost.',
  'For 14 days you can change your mind: sign in, and choose “Keep my account”. Everything will be as you left it. You can also still get your data.',
  'After that we delete your profile, photos, likes, matches and date plans, and the text and files of your messages.',
  'Your stories, likes and comments leave the community board. Where others replied to a comment of yours, they see an empty one by “Former member” above their replies.',
  'People you talked with keep their own messages and see “Former member” in your place. What was reported stays with our safety team until 90 days after their decision.',
];

/** Explains the deletion of the account and asks for it. */
export default function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const online = useOnline();
  const { withProof, dialog } = useProof();

  const [confirm, { isBusy }] = useAction(() => withProof(deleteAccount));

  if (dialog) return dialog;
  return (
    <ConfirmDialog
      busy={isBusy}
      cancel="Stay"
      confirm="Delete my account"
      disabled={!online}
      onClose={onClose}
      onConfirm={confirm}
      title="Delete your account?"
    >
      <ul className="mt-3 flex list-disc flex-col gap-2 ps-5">
        {consequences.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      {!online && (
        <p className="mt-4 text-plum" role="status">
          You're offline. Deleting your account needs a connection.
        </p>
      )}
    </ConfirmDialog>
  );
}
