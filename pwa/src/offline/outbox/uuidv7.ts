let lastTime = 0;

/** Returns a new UUIDv7: the time in ms in 48 bits, and 74 random bits. A later one of this page is greater. */
export function uuidv7(): string {
  lastTime = Math.max(Date.now(), lastTime + 1);
  const view = new DataView(crypto.getRandomValues(new Uint8Array(16)).buffer);
  view.setUint32(0, Math.floor(lastTime / 2 ** 16));
  view.setUint16(4, lastTime % 2 ** 16);
  view.setUint8(6, 0x70 | (view.getUint8(6) & 0x0f));
  view.setUint8(8, 0x80 | (view.getUint8(8) & 0x3f));
  const hex = Array.from({ length: 16 }, (_, index) =>
    view.getUint8(index).toString(16).padStart(2, '0'),
  ).join('');
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
}
