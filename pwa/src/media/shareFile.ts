import { toast } from '@/ui';
import { saveFile, shareFile } from './saveFile.tsx';

/** Whether the device has a share sheet that takes pictures. */
export const canShareFiles = (): boolean =>
  navigator.canShare?.({ files: [new File([], 'a.png', { type: 'image/png' })] }) ?? false;

/**
 * Opens the device's share sheet with a picture, and resolves to whether it was shared: not if the member closed the
 * sheet. Without a sheet the picture is saved as a file, and the caption copied.
 */
export async function shareOrSave(picture: File, caption: string): Promise<boolean> {
  // Without a text, because some targets take the text and drop the picture.
  const result = navigator.canShare?.({ files: [picture] }) ? await shareFile(picture) : 'failed';
  if (result === 'shared') return true;
  if (result === 'closed') return false;
  await saveFile(picture, async () => {
    const isCopied = await navigator.clipboard.writeText(caption).then(
      () => true,
      () => false,
    );
    toast({ title: 'Picture saved', description: isCopied ? 'Its caption is copied, too.' : undefined });
  });
  return false;
}
