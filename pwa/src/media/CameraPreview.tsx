/** The camera's picture, mirrored for the member; recordings are not mirrored. */
export function CameraPreview({ stream }: { stream: MediaStream }) {
  return (
    <video
      aria-label="Your camera"
      autoPlay
      className="absolute inset-0 size-full -scale-x-100 object-cover"
      muted
      playsInline
      ref={(video) => {
        if (video && video.srcObject !== stream) video.srcObject = stream;
      }}
    />
  );
}
