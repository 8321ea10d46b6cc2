/** What the picture and the links of a moment say. */
import type { Moment } from '@/api/types.ts';
import { isolate } from '@/media/canvasText.ts';
import type { PictureContent } from './drawing.ts';

/** Returns the words of a moment's picture. The other member is named only with their consent. */
export function contentOf(moment: Moment, myFirstName: string): PictureContent {
  const { momentType: kind, badge, peer } = moment;
  const me = isolate(myFirstName);
  if (kind === 'badge')
    // Without the description, which speaks to the member.
    return { kind, headline: badge?.name ?? moment.title, line: 'A badge earned on Heartward' };
  if (kind === 'referral')
    return { kind, headline: 'A friend joined', line: `${me} brought a friend to Heartward` };
  if (peer && namesPeer(moment))
    return { kind, headline: `${me} & ${isolate(peer.firstName)}`, line: 'We like each other' };
  return { kind, headline: `${me} met someone`, line: 'And we like each other' };
}

/** Whether the picture names the other member. Such a picture is never stored. */
export const namesPeer = ({ momentType, peer, consent }: Moment): boolean =>
  momentType === 'match' && peer !== null && consent === 'given';

/** Returns the addresses that open a post with the caption and the link of the site. */
export function shareLinks(caption: string, site: string): { twitter: string; whatsapp: string } {
  const text = encodeURIComponent(caption);
  const url = encodeURIComponent(site);
  return {
    twitter: `https://twitter.com/intent/tweet?text=${text}&url=${url}`,
    whatsapp: `https://wa.me/?text=${text}%20${url}`,
  };
}
