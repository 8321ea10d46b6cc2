/** Whether the device has a share sheet that takes pictures. */
export const canShareFiles = (): boolean =>
  navigator.canShare?.({ files: [new File([], 'a.png', { type: 'image/png' })] }) ?? false;

/**
 * Opens the device's share sheet with a picture and resolves to true; without a sheet the picture is saved as a file.
 * Rejects when the member closes the sheet.
 */
export async function shareOrSave(file: File, text: string): Promise<boolean> {
  if (canShareFiles()) {
    await navigator.share({ files: [file], text });
    return true;
  }
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
  return false;
}

/** Returns the text for the member about a failure; '' when they have closed the share sheet. */
export const describePictureFailure = (failure: unknown): string =>
  failure instanceof DOMException && failure.name === 'AbortError'
    ? ''
    : 'The picture could not be made. Please try again.';
