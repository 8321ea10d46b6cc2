/** For tests of files of the own profile: a transport of uploads that a test ends as it likes. */
import type { UploadOptions } from './tus.ts';

type Transport = {
  /** The uploads that were begun, and the addresses of those that were deleted. */
  uploads: UploadOptions[];
  deleted: string[];
  /** How each upload ends. */
  end: (options: UploadOptions) => Promise<string>;
};

export const transport = {} as Transport;

/** Forgets all uploads; the next ones succeed as `u1`. */
export function resetTransport(): void {
  transport.uploads = [];
  transport.deleted = [];
  transport.end = async ({ onUrl, onProgress }) => {
    await onUrl('/api/uploads/u1');
    onProgress(1);
    return 'u1';
  };
}

/** Returns the module `tus.ts` with the fake transport, for `vi.mock`. */
export const withFakeTransport = (original: typeof import('./tus.ts')) => ({
  ...original,
  uploadBytes: (_bytes: Blob, options: UploadOptions) => {
    transport.uploads.push({ ...options });
    return transport.end(options);
  },
  deleteUploads: async (_memberId: string, urls: string[]) => void transport.deleted.push(...urls),
});

export const photo = {
  method: 'POST',
  path: '/api/users/me/photos',
  bytes: new Blob(['0123456789']),
} as const;
