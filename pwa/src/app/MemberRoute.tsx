import MemberScreen from '@/features/members/MemberScreen.tsx';
import { MemberActions } from './MemberActions.tsx';

export default function MemberRoute() {
  return <MemberScreen actions={(member) => <MemberActions key={member.id} member={member} />} />;
}
