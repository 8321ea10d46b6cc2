/** A player of the camera that nobody sees, once it shows the first picture. */
async function watch(stream: MediaStream): Promise<HTMLVideoElement> {
  const video = document.createElement('video');
  video.muted = true;
  video.playsInline = true;
  video.srcObject = stream;
  await video.play();
  return video;
}

const patienceMs = 3000;

/** Waits until the camera gives pictures, but not for ever: a recording begun before has none. */
export async function firstPicture(stream: MediaStream): Promise<void> {
  const late = new Promise<void>((resolve) => setTimeout(resolve, patienceMs));
  const shown = watch(stream).then(
    (video) => {
      video.srcObject = null;
    },
    () => undefined,
  );
  await Promise.race([shown, late]);
}

/** What a camera sees now, as a JPEG; null when it gives no picture. */
export async function stillOf(stream: MediaStream): Promise<Blob | null> {
  try {
    const video = await watch(stream);
    const canvas = document.createElement('canvas');
    canvas.width = video.videoWidth;
    canvas.height = video.videoHeight;
    canvas.getContext('2d')?.drawImage(video, 0, 0);
    video.srcObject = null;
    return await new Promise((done) => canvas.toBlob(done, 'image/jpeg', 0.9));
  } catch {
    return null;
  }
}
