import { type ReactNode, useState } from 'react';
import { useMember } from '@/session/session.ts';
import { lazyWithRetry, useLoaded } from '@/ui';

// Loaded lazily: only new members need it, and the app starts without the device's database.
const StartGate = lazyWithRetry(() => import('@/features/profile/StartGate.tsx'));

/**
 * Shows people to everyone but a new member who has not said yet who they are and whom they want to see, and leads such a
 * member to the question. Somebody who was shown people stays, also while the profile is older than a sent answer.
 */
export function PeopleGate({ children }: { children: ReactNode }) {
  const { startStep } = useMember();
  const [isOpen, setOpen] = useState(startStep !== 'gender' && startStep !== 'seek');
  if (isOpen) return children;
  return <LoadedGate onPass={() => setOpen(true)} />;
}

const LoadedGate = ({ onPass }: { onPass: () => void }) =>
  useLoaded(StartGate) ? <StartGate onPass={onPass} /> : null;
