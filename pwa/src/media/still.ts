export type Still = {
  /** What the camera sees now, as a JPEG; null before its first picture. */
  take: () => Promise<Blob | null>;
  end: () => void;
};

/** Looks at a camera's stream beside the recorder, for the still that stands for the video. */
export function stillOf(stream: MediaStream): Still {
  const video = document.createElement('video');
  video.muted = true;
  video.playsInline = true;
  video.srcObject = stream;
  video.play().catch(() => undefined);
  return {
    async take() {
      if (video.videoWidth === 0) return null;
      const canvas = document.createElement('canvas');
      canvas.width = video.videoWidth;
      canvas.height = video.videoHeight;
      canvas.getContext('2d')?.drawImage(video, 0, 0);
      return new Promise((done) => canvas.toBlob(done, 'image/jpeg', 0.85));
    },
    end() {
      video.srcObject = null;
    },
  };
}
