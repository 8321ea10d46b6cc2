import { useRef, useState } from 'react';
import { describeError } from '@/api/errors.ts';
import { toastError } from './Toaster.tsx';

export type ActionOptions = {
  /** Whether a failure is shown only by the caller, which draws `error`. By default there is a toast too. */
  inline?: boolean;
  /**
   * Returns the text for the member about a failure; `describeError` by default. With '' the action does not show it.
   */
  errorText?: (failure: unknown) => string;
  /** The title of the toast about a failure. */
  errorTitle?: string;
  /** Whether a success leaves the action busy, because the component is about to go. */
  staysBusy?: boolean;
};

/**
 * Shows a toast about a failure, with `otherwise` about one whose message is not for members. For work that may overlap,
 * or that no component waits for; any other action of a member is a `useAction`.
 */
export function showFailure(failure: unknown, title?: string, otherwise?: string): void {
  toastError(describeError(failure, otherwise), title);
}

/**
 * An action that a member starts, such as a press of a button. Returns a function that runs it, and its state. A call
 * while the action runs is ignored. The function never rejects: it resolves to whether the action has succeeded. A
 * toast about a failure is shown after the component was unmounted too. `running` are the arguments while it runs.
 * `setError` is for errors that are found before the action runs: a button that is busy for a moment only would lose the
 * focus.
 */
export function useAction<Args extends unknown[]>(
  action: (...args: Args) => unknown,
  { inline = false, errorText = describeError, errorTitle, staysBusy = false }: ActionOptions = {},
) {
  const [running, setShownRunning] = useState<Args | null>(null);
  const [error, setError] = useState('');
  // The state is that of the last render, which may be older than the first of two presses.
  const isRunning = useRef(false);

  function setRunning(args: Args | null) {
    isRunning.current = args !== null;
    setShownRunning(args);
  }

  async function run(...args: Args): Promise<boolean> {
    if (isRunning.current) return false;
    setRunning(args);
    setError('');
    try {
      await action(...args);
    } catch (failure) {
      const text = errorText(failure);
      setError(text);
      if (text && !inline) toastError(text, errorTitle);
      setRunning(null);
      return false;
    }
    if (!staysBusy) setRunning(null);
    return true;
  }

  return [run, { isBusy: running !== null, running, error, setError }] as const;
}
