import { DigestCard } from './DigestCard.tsx';
import { JobPages } from './JobPages.tsx';
import { SiteSettings } from './SiteSettings.tsx';
import { TagSettings } from './TagSettings.tsx';

/** The settings of the installation. */
export function Settings() {
  return (
    <div className="grid items-start gap-8 xl:grid-cols-2">
      <TagSettings />
      <div className="flex flex-col gap-8">
        <SiteSettings />
        <DigestCard />
        <JobPages />
      </div>
    </div>
  );
}
