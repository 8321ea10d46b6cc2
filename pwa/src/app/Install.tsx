import { InstallCard } from './InstallCard.tsx';
import { InstallOffer } from './InstallOffer.tsx';

/** Installing the app, wherever it is spoken of: one chunk, loaded after the screen that it stands on. */
export default function Install({ place }: { place: 'settings' | 'list' }) {
  return place === 'settings' ? <InstallCard /> : <InstallOffer />;
}
