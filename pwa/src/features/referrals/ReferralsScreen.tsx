import { paths } from '@/session/paths.ts';
import { Screen } from '@/ui';
import { ReferralPanel } from './ReferralPanel.tsx';

/** /referrals: the profile's referral panel as a page. */
export default function ReferralsScreen() {
  return (
    <Screen back={paths.profileTab('referrals')} title="Referrals" width="reading">
      <ReferralPanel />
    </Screen>
  );
}
