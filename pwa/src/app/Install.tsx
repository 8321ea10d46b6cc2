import { InstallCard } from './InstallCard.tsx';
import { InstallOffer } from './InstallOffer.tsx';

/** The install card or offer, in one chunk that is loaded after its screen. */
export default function Install({ place }: { place: 'settings' | 'list' }) {
  return place === 'settings' ? <InstallCard /> : <InstallOffer />;
}
