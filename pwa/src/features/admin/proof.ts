import { createContext, useContext } from 'react';

/** Runs an action, after a proof of identity if the server requires one. Resolves to false if the admin gives none. */
export type WithProof = (action: () => Promise<void>) => Promise<boolean>;

export const ProofContext = createContext<WithProof>(async (action) => {
  await action();
  return true;
});

export const useWithProof = () => useContext(ProofContext);
