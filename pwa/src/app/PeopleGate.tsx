import { type ReactNode, useState } from 'react';
import { useMember } from '@/session/session.ts';
import { lazyWithRetry, useLoaded } from '@/ui';

// Loaded lazily: only new members need it, and the app starts without the device's database.
const StartGate = lazyWithRetry(() => import('@/features/profile/StartGate.tsx'));

/**
 * Leads a new member who has not said yet who they are, and whom they want to see, to these questions; shows people to all
 * others. A member who was shown people stays here, also while the stored profile is older than a sent answer.
 */
export function PeopleGate({ children }: { children: ReactNode }) {
  const { startStep } = useMember();
  const [isOpen, setOpen] = useState(startStep !== 'gender' && startStep !== 'seek');
  if (isOpen) return children;
  return <LoadedGate onPass={() => setOpen(true)} />;
}

const LoadedGate = ({ onPass }: { onPass: () => void }) =>
  useLoaded(StartGate) ? <StartGate onPass={onPass} /> : null;
