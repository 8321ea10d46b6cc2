/** Saves files on the device. */
import type { MouseEvent } from 'react';
import { useAction } from '@/ui';

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

/**
 * Saves a file. The app that was installed on an iPhone opens the share sheet, which offers to save it: there a download opens a
 * page of the system in the app's window, without a way back.
 */
export async function saveFile(file: File): Promise<void> {
  if (savesByShareSheet(file)) {
    try {
      await navigator.share({ files: [file] });
      return;
    } catch (failure) {
      // The member closed the sheet.
      if (failure instanceof DOMException && failure.name === 'AbortError') return;
    }
  }
  const url = URL.createObjectURL(file);
  Object.assign(document.createElement('a'), { href: url, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(url), VALID_MS);
}

/** Whether this is the app that was installed on an iPhone or iPad: only Safari there has this property. */
export const isInstalledOnIos = (): boolean =>
  (navigator as Navigator & { standalone?: boolean }).standalone === true;

const savesByShareSheet = (file: File): boolean =>
  isInstalledOnIos() && navigator.canShare?.({ files: [file] }) === true;

/**
 * Returns the handler of clicks on a link that saves a file of the server. Where links cannot save (`saveFile`) it fetches the
 * file. It does nothing for other addresses, such as those of unsent files, which the page may not fetch.
 */
export function useSaveClick(address: string, name: string): (event: MouseEvent) => void {
  const [save] = useAction(
    async (from: string) => {
      const response = await fetch(from);
      if (!response.ok) throw new Error(`status ${response.status}`);
      const blob = await response.blob();
      await saveFile(new File([blob], name, { type: blob.type }));
    },
    { errorText: () => 'The file could not be loaded. Check your connection and try again.' },
  );
  return (event) => {
    if (!address.startsWith('/') || !isInstalledOnIos()) return;
    event.preventDefault();
    void save(address);
  };
}
