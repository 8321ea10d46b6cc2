/** What a camera sees now, as a JPEG; null when it gives no picture. */
export async function stillOf(stream: MediaStream): Promise<Blob | null> {
  const video = document.createElement('video');
  video.muted = true;
  video.playsInline = true;
  video.srcObject = stream;
  try {
    await video.play();
    const canvas = document.createElement('canvas');
    canvas.width = video.videoWidth;
    canvas.height = video.videoHeight;
    canvas.getContext('2d')?.drawImage(video, 0, 0);
    return await new Promise((done) => canvas.toBlob(done, 'image/jpeg', 0.9));
  } catch {
    return null;
  } finally {
    video.srcObject = null;
  }
}
