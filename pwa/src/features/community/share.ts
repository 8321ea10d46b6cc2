import type { PostCard } from '@/api/types.ts';
import { paths } from '@/session/paths.ts';
import { copyText } from '@/ui';

/** Opens the device's share sheet with the address of a post; without one, or if it fails, copies the address. */
export async function sharePost({ id, title }: Pick<PostCard, 'id' | 'title'>): Promise<void> {
  const url = new URL(paths.post(id), location.origin).href;
  try {
    if (navigator.share) return await navigator.share({ title, url });
  } catch (failure) {
    // The member has closed the sheet.
    if (failure instanceof DOMException && failure.name === 'AbortError') return;
  }
  await copyText(url, { title: 'Link copied!' });
}
