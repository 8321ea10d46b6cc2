import encodeQR from 'qr';

/** The quiet zone around the code that scanners need, in modules. */
const BORDER = 4;

/** Returns the QR code of a text: its size in modules, and the SVG path of its dark modules. */
export function qrCodeOf(text: string): { size: number; path: string } {
  const rows = encodeQR(text, 'raw', { border: BORDER, ecc: 'medium' });
  return {
    size: rows.length,
    path: rows.flatMap((row, y) => runsOf(row).map(([x, n]) => `M${x} ${y}h${n}v1h-${n}z`)).join(''),
  };
}

/** Returns the start and the length of each run of dark modules. */
function runsOf(row: boolean[]): [number, number][] {
  const runs: [number, number][] = [];
  row.forEach((dark, x) => {
    const last = runs.at(-1);
    if (!dark) return;
    if (last && last[0] + last[1] === x) last[1] += 1;
    else runs.push([x, 1]);
  });
  return runs;
}

/** Returns the code as an SVG file, black on white. */
export function qrFileOf(text: string): string {
  const { size, path } = qrCodeOf(text);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="1024" height="1024" ` +
    `shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`
  );
}
