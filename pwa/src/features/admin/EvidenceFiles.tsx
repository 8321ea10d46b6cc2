import { useState } from 'react';
import { Button } from '@/ui';

export type File = { id: string; mimeType: string; url: string; label: string };

/** Files of evidence. Each is requested, and recorded in the audit log, when it is shown. */
export function EvidenceFiles({ files }: { files: File[] }) {
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-3">
      {files.map((file) => (
        <li key={file.id}>
          <EvidenceFileView file={file} />
        </li>
      ))}
    </ul>
  );
}

function EvidenceFileView({ file }: { file: File }) {
  const [state, setState] = useState<'hidden' | 'shown' | 'failed'>('hidden');
  const fail = () => setState('failed');
  if (state !== 'shown')
    return (
      <div className="grid aspect-[4/5] place-items-center rounded-control bg-raised p-2 text-center text-sm">
        <div className="flex flex-col items-center gap-2">
          <span>{file.label}</span>
          {state === 'failed' && <span className="text-danger text-xs">It could not be loaded.</span>}
          <Button onClick={() => setState('shown')} size="sm" variant="secondary">
            {state === 'failed' ? 'Try again' : 'Show'}
          </Button>
        </div>
      </div>
    );
  if (file.mimeType.startsWith('video/'))
    return (
      // biome-ignore lint/a11y/useMediaCaption: a member's recording has no captions
      <video
        aria-label={file.label}
        className="w-full rounded-control"
        controls
        onError={fail}
        src={file.url}
      />
    );
  if (file.mimeType.startsWith('audio/'))
    return (
      // biome-ignore lint/a11y/useMediaCaption: a member's recording has no captions
      <audio aria-label={file.label} className="w-full" controls onError={fail} src={file.url} />
    );
  return (
    <a href={file.url} rel="noreferrer" target="_blank">
      <img alt={file.label} className="w-full rounded-control" onError={fail} src={file.url} />
    </a>
  );
}
