import { useState } from 'react';
import { Button } from '@/ui';
import { Veil } from './Veil.tsx';

export type File = { id: string; mimeType: string; url: string; label: string };

/** Files of evidence. Each is requested, and recorded in the audit log, when it is shown. Recordings begin muted. */
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
      <Veil label={file.label}>
        <video
          aria-label={file.label}
          className="w-full rounded-control"
          controls
          muted
          onError={fail}
          src={file.url}
        />
      </Veil>
    );
  if (file.mimeType.startsWith('audio/'))
    return <audio aria-label={file.label} className="w-full" controls muted onError={fail} src={file.url} />;
  return (
    <Veil label={file.label}>
      <a href={file.url} rel="noreferrer" target="_blank">
        <img alt={file.label} className="w-full rounded-control" onError={fail} src={file.url} />
      </a>
    </Veil>
  );
}
