import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, describeLoadError, unwrap } from '@/api/client.ts';
import type { DataExport as Export } from '@/api/types.ts';
import { formatDate, formatTime } from '@/base/format.ts';
import { isInstalledOnIos } from '@/media/saveFile.tsx';
import { useOnline } from '@/offline/device/online.ts';
import { useFailure } from '@/offline/store/cached.ts';
import { queryClient } from '@/session/query.ts';
import { Button, ErrorState, useAction } from '@/ui';
import { useProof } from './useProof.tsx';

const key = ['export'];

/** How often the state is read while it changes at the server, in milliseconds. */
const POLL_MS = 3000;

async function requestExport(): Promise<void> {
  queryClient.setQueryData(key, await unwrap(api.POST('/api/users/me/export')));
}

/** Lets the browser download the archive. Its address is valid once. */
async function download(): Promise<void> {
  const { url } = await unwrap(api.POST('/api/users/me/export/link'));
  const link = document.createElement('a');
  link.href = url;
  link.download = '';
  link.click();
}

/** The state of a member without an export. */
const NONE: Export = { status: 'none', requestedAt: null, readyUntil: null, fetchedAt: null, bytes: null };

/** Returns "November 21, 2026, 9:05 PM". */
const moment = (at: string) => `${formatDate(at)}, ${formatTime(at)}`;

/** Returns "1 MB" or "12.3 MB". */
const megabytes = (bytes: number) => `${Math.max(0.1, Math.round(bytes / 100_000) / 10)} MB`;

function textOf({ status, bytes, readyUntil, fetchedAt }: Export): string {
  switch (status) {
    case 'making':
      return 'We are preparing your file. This can take a few minutes. You can leave this page: we will email you when it is ready.';
    case 'ready':
      return `Your file is ready (${megabytes(bytes ?? 0)}). You can download it once, until ${moment(readyUntil ?? '')}. It shows your whole private life, so save it where only you can read it.`;
    case 'fetched':
      return `You downloaded your file on ${moment(fetchedAt ?? '')}. To get another one, ask again.`;
    case 'failed':
      return 'Your file could not be made. Please ask again.';
    case 'none':
      return 'Get a file with everything you have on Heartward: your profile, photos, likes, matches and messages. You can ask for it three times a week.';
  }
}

const canAsk = ({ status }: Export) => status !== 'ready' && status !== 'making';

/** Reads the state, again and again while the server makes the file or the browser fetches it. */
const useExport = (isDownloading: boolean) =>
  useQuery({
    queryKey: key,
    queryFn: (): Promise<Export> => unwrap(api.GET('/api/users/me/export')),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data?.status === 'making' || (isDownloading && data?.status === 'ready') ? POLL_MS : false,
  });

/** The state of the export of the member's data, with the button that requests or downloads it. */
export function DataExport() {
  const online = useOnline();
  const [downloading, setDownloading] = useState(false);
  const { withProof, dialog } = useProof();
  const query = useExport(downloading);
  const failure = useFailure(query);

  const [runWithProof, { isBusy }] = useAction(withProof);

  async function run(action: () => Promise<void>) {
    await runWithProof(action);
    await queryClient.invalidateQueries({ queryKey: key });
  }

  async function startDownload() {
    await download();
    setDownloading(true);
  }

  // Before the response the text and the button of most members are drawn, so that what is below keeps its place.
  const state = query.data ?? (failure ? undefined : NONE);
  return (
    <section aria-busy={isBusy} className="card p-5">
      <h2 className="font-display font-semibold text-lg">Your data</h2>
      {!state && failure && (
        <ErrorState
          onRetry={query.refetch}
          text={describeLoadError(failure)}
          title="The status of your file could not be loaded"
        />
      )}
      {state && (
        <div className="mt-1 flex flex-wrap items-center justify-between gap-4">
          <p className="min-w-[min(100%,12rem)] flex-1 text-muted" role="status">
            {online ? textOf(state) : "You're offline. Asking for your data needs a connection."}
          </p>
          {state.status === 'ready' && (
            <Download busy={isBusy} disabled={!online} onClick={() => run(startDownload)} />
          )}
          {canAsk(state) && (
            <Button
              busy={isBusy}
              disabled={!online || query.isPending}
              onClick={() => run(requestExport)}
              variant="secondary"
            >
              Ask for my data
            </Button>
          )}
        </div>
      )}
      {dialog}
    </section>
  );
}

type DownloadProps = { busy: boolean; disabled: boolean; onClick: () => void };

function Download(props: DownloadProps) {
  // The archive can be fetched once, so it must not be fetched where it may not be saved.
  if (isInstalledOnIos())
    return (
      <p className="text-sm">
        The app on your home screen can't save this file. Please open Heartward in Safari, and download it
        there.
      </p>
    );
  return (
    <Button {...props} variant="secondary">
      Download
    </Button>
  );
}
