import { paths } from '@/session/paths.ts';

/** Returns the address at which a friend signs up by this code. */
export function linkOf(code: string, origin: string): string {
  return origin + paths.invitation(code);
}

export const invitationText =
  'Join me on Heartward: dating with intention, always free. We both get a week of Premium when your profile is complete.';

/** Returns the addresses that open a post with the invitation and the link. */
export function shareLinks(link: string): { name: string; href: string }[] {
  const url = encodeURIComponent(link);
  const text = encodeURIComponent(invitationText);
  return [
    { name: 'WhatsApp', href: `https://wa.me/?text=${text}%20${url}` },
    { name: 'Twitter', href: `https://twitter.com/intent/tweet?text=${text}&url=${url}` },
    { name: 'Facebook', href: `https://www.facebook.com/sharer/sharer.php?u=${url}&quote=${text}` },
  ];
}
