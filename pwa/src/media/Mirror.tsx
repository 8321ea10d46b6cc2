/** The member as in a mirror, which is how they know themselves; what is taken is not mirrored. */
export function Mirror({ stream }: { stream: MediaStream }) {
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
