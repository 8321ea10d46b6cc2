const asked = new Set<string>();

/** Fetches photos before they are needed, once each; the service worker keeps them for reading offline. */
export function prefetch(addresses: readonly (string | undefined)[]): void {
  for (const address of addresses) {
    if (!address || asked.has(address)) continue;
    asked.add(address);
    const image = new Image();
    image.decoding = 'async';
    // A photo that did not arrive is asked for again next time.
    image.onerror = () => asked.delete(address);
    image.src = address;
  }
}
