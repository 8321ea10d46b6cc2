import { useEffect, useEffectEvent } from 'react';
import { Navigate } from 'react-router';
import { paths } from '@/session/paths.ts';
import { canLeave } from './steps.ts';
import { useStartedMe } from './useStartedMe.ts';

/** Leads a new member to the question that comes before the first person, or calls `onPass` if it is answered. */
export default function StartGate({ onPass }: { onPass: () => void }) {
  const me = useStartedMe();
  const pass = useEffectEvent(onPass);
  const isAsked = me !== undefined && !me.welcomed && !canLeave(me);
  const hasPassed = me !== undefined && !isAsked;
  useEffect(() => {
    if (hasPassed) pass();
  }, [hasPassed]);
  return isAsked && me?.startStep ? <Navigate replace to={paths.startStep(me.startStep)} /> : null;
}
