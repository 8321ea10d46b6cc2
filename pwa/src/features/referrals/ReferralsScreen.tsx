import { paths } from '@/session/paths.ts';
import { Screen } from '@/ui';
import { ReferralPanel } from './ReferralPanel.tsx';

/** /referrals: the panel of the profile on a page of its own. */
export default function ReferralsScreen() {
  return (
    <Screen back={paths.profileTab('referrals')} title="Referrals" width="reading">
      <ReferralPanel />
    </Screen>
  );
}
