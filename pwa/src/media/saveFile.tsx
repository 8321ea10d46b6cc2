/** Saves files on the device. */
import { type MouseEvent, useRef } from 'react';
import { Button, dismissToast, showFailure, toast, useAction } from '@/ui';

/** The endings of the names of the pictures that are sent, and of those that the server has. */
const ENDINGS: Record<string, string> = {
  'image/gif': '.gif',
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/webp': '.webp',
};

/** Returns the name with the ending of its type: WebKit adds none, and other programs then cannot open the file. */
export const nameOfType = (name: string, mimeType: string): string => name + (ENDINGS[mimeType] ?? '');

/**
 * How long the address of a saved file stays valid, in milliseconds. Safari and Firefox may read the file some time after the
 * click, and save nothing if the address is gone.
 */
const VALID_MS = 10_000;

/** How long the toast with a file that is ready stays, in milliseconds. */
const READY_MS = 60_000;

/**
 * Saves a file, and then calls `onSaved`: not if the member closes the share sheet. The app that was installed on an iPhone opens
 * this sheet, which offers to save the file: there a download opens a page of the system in the app's window, without a way back.
 * The sheet opens only shortly after a tap; for a file that took longer a toast has a button.
 */
export async function saveFile(file: File, onSaved?: () => unknown): Promise<void> {
  if (savesByShareSheet(file)) {
    const result = await shareFile(file);
    if (result === 'tooLate') offerToSave(file, onSaved);
    if (result === 'closed' || result === 'tooLate') return;
    if (result === 'failed') download(file);
  } else download(file);
  await onSaved?.();
}

/** Opens the share sheet with a file. The result is `tooLate` if no tap was shortly before. */
export async function shareFile(file: File): Promise<'shared' | 'closed' | 'tooLate' | 'failed'> {
  try {
    await navigator.share({ files: [file] });
    return 'shared';
  } catch (failure) {
    const { name } = failure as DOMException;
    if (name === 'AbortError') return 'closed';
    return name === 'NotAllowedError' ? 'tooLate' : 'failed';
  }
}

function offerToSave(file: File, onSaved?: () => unknown): void {
  const save = () => {
    dismissToast();
    saveFile(file, onSaved).catch(showFailure);
  };
  toast({
    title: 'Your file is ready',
    action: (
      <Button onClick={save} size="sm" variant="secondary">
        Save
      </Button>
    ),
    duration: READY_MS,
  });
}

function download(file: File): void {
  const url = URL.createObjectURL(file);
  Object.assign(document.createElement('a'), { href: url, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(url), VALID_MS);
}

/** Whether this is the app that was installed on an iPhone or iPad: only Safari there has this property. */
export const isInstalledOnIos = (): boolean =>
  (navigator as Navigator & { standalone?: boolean }).standalone === true;

const savesByShareSheet = (file: File): boolean =>
  isInstalledOnIos() && navigator.canShare?.({ files: [file] }) === true;

async function fetchFile(from: string, name: string): Promise<File> {
  const response = await fetch(from);
  if (!response.ok) throw new Error(`status ${response.status}`);
  const blob = await response.blob();
  return new File([blob], name, { type: blob.type });
}

/**
 * Returns the handler of clicks on a link that saves a file of the server. Where links cannot save (`saveFile`) it fetches the
 * file. It does nothing for other addresses, such as those of unsent files, which the page may not fetch.
 */
export function useSaveClick(address: string, name: string): (event: MouseEvent) => void {
  // A second tap saves it at once, also where an open dialog covers the toast.
  const fetched = useRef<{ from: string; file: File }>(undefined);
  const [save] = useAction(
    async (from: string) => {
      if (fetched.current?.from !== from) fetched.current = { from, file: await fetchFile(from, name) };
      await saveFile(fetched.current.file);
    },
    { errorText: () => 'The file could not be loaded. Check your connection and try again.' },
  );
  return (event) => {
    if (!address.startsWith('/') || !isInstalledOnIos()) return;
    event.preventDefault();
    void save(address);
  };
}
