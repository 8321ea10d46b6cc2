/** Recording, choosing and sending media in the conversation that is open. */
import { type BrowserContext, expect, type Page } from '@playwright/test';
import type { Person } from './phones.ts';

export const voicePanel = (page: Page) => page.getByRole('region', { name: 'Voice message' });

/** Starts a voice message and waits until two seconds are recorded. */
export async function startVoice(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Record a voice message' }).click();
  await expect(voicePanel(page).getByText(/^0:(0[2-9]|[1-5]\d) of 1:00/)).toBeVisible();
}

export async function recordVoice(page: Page): Promise<void> {
  await startVoice(page);
  await voicePanel(page).getByRole('button', { name: 'Stop' }).click();
}

export async function sendVoice(page: Page): Promise<void> {
  await recordVoice(page);
  await voicePanel(page).getByRole('button', { name: 'Send' }).click();
  await expect(voicePanel(page)).toBeHidden();
}

export async function choosePictures(
  page: Page,
  files: Parameters<ReturnType<Page['locator']>['setInputFiles']>[0],
) {
  await page.getByRole('button', { name: 'Add a picture, a video or more' }).click();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Pictures' }).click();
  await (await chooser).setFiles(files as string[]);
}

/** Sends the chosen pictures and waits until they are shown in the conversation. */
export async function sendPictures(page: Page): Promise<void> {
  const tray = page.getByRole('region', { name: 'Pictures to send' });
  await tray.getByRole('button', { name: 'Send' }).click();
  await expect(tray).toBeHidden();
  await expect(page.getByRole('button', { name: /^Look at Your picture/ }).first()).toBeVisible();
}

export const currentTimeOf = (page: Page, kind: 'audio' | 'video') =>
  page
    .locator(kind)
    .first()
    .evaluate((element) => (element as HTMLMediaElement).currentTime);

type SentMessage = {
  messageType: string;
  content: string;
  replyTo: number | null;
  attachments: { id: string; url: string; durationMs: number }[];
};
export async function messagesWith(phone: BrowserContext, other: Person): Promise<SentMessage[]> {
  return (await (await phone.request.get(`/api/messages/${other.id}`)).json()) as SentMessage[];
}
