import { toast, toastError } from './Toaster.tsx';

/** Copies a text to the clipboard, and shows a toast about the result. Returns whether it succeeded. */
export async function copyText(
  text: string,
  success: { title: string; description?: string },
  failure = 'Please copy manually.',
): Promise<boolean> {
  const isCopied = await navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
  if (isCopied) toast(success);
  else toastError(failure, 'Copy failed');
  return isCopied;
}
