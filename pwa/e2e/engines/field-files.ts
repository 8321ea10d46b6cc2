/** Files of phones and cameras for field.engine.ts, made by ffmpeg. */
import { execFileSync } from 'node:child_process';

export type ChosenFile = { name: string; type: string; base64: string };

/** Runs ffmpeg with `input` on its standard input, and returns what it writes to its standard output. */
export function ffmpeg(args: string[], input?: Buffer): Buffer {
  const options = { input, maxBuffer: 64 * 1024 * 1024 };
  return execFileSync(process.env.FFMPEG ?? 'ffmpeg', ['-v', 'error', ...args, '-'], options);
}

/** Returns the pixels of a file in base64, three bytes each. */
export const rgb = (file: string, ...filter: string[]) =>
  ffmpeg(['-i', '-', ...filter, '-pix_fmt', 'rgb24', '-f', 'rawvideo'], Buffer.from(file, 'base64'));

/** Returns the colour in the middle of each quarter of a picture: above left, above right, below left, below right. */
export const quartersOf = (file: string): string[] =>
  [0.25, 0.75].flatMap((y) =>
    [0.25, 0.75].map((x) => nameOf(rgb(file, '-vf', `format=rgb24,crop=1:1:iw*${x}:ih*${y}`))),
  );

const nameOf = ([red = 0, green = 0, blue = 0]: Uint8Array) =>
  [red, green, blue].map((value) => (value > 200 ? 'F' : value < 60 ? '0' : '?')).join('');

/** A JPEG larger than stored pictures are, so that browsers draw it smaller. */
const photo = (graph: string) =>
  // biome-ignore format: one line of arguments
  ffmpeg(['-f', 'lavfi', '-i', graph, '-frames:v', '1', '-pix_fmt', 'yuvj444p', '-c:v', 'mjpeg', '-q:v', '2', '-f', 'image2pipe']);

/** Red and green above blue and white. */
const quarters = () =>
  photo(
    'color=red:s=1000x500[a];color=lime:s=1000x500[b];color=blue:s=1000x500[c];color=white:s=1000x500[d];' +
      '[a][b]hstack[e];[c][d]hstack[f];[e][f]vstack',
  );

const jpegFile = (name: string, content: Buffer): ChosenFile => ({
  name,
  type: 'image/jpeg',
  base64: content.toString('base64'),
});

/** Inserts a segment behind the start of a JPEG. */
function withSegment(jpeg: Buffer, marker: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)]);
}

/** A photo that was mirrored and turned (orientation 5), followed by a video as in a motion photo. */
export function turnedPhoto(): ChosenFile {
  // A list at byte 8 of one entry: the orientation is one short number, 5. No list follows.
  const list = ['00000008', '0001', '0112', '0003', '00000001', '00050000', '00000000'].join('');
  const exif = Buffer.concat([Buffer.from('Exif\0\0MM\0*', 'latin1'), Buffer.from(list, 'hex')]);
  const video = Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42', 'latin1'), Buffer.alloc(200_000, 7)]);
  return jpegFile('turned.jpg', Buffer.concat([withSegment(quarters(), 0xe1, exif), video]));
}

/** A panorama without the marker at its end. */
export const endlessPhoto = (): ChosenFile => jpegFile('panorama.jpg', quarters().subarray(0, -2));

/** A photo of one colour, 180, 90, 60 in the profile Display P3, which is 193, 83, 51 in sRGB. */
export function wideColourPhoto(): ChosenFile {
  const plain = photo('color=0xB45A3C:s=2000x1200');
  const body = Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1'), displayP3()]);
  return jpegFile('p3.jpg', withSegment(plain, 0xe2, body));
}

/** Numbers of 16 bits before the point and 16 behind it. */
function fixed(...values: number[]): Buffer {
  const raw = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) raw.writeInt32BE(Math.round(value * 65_536), 4 * index);
  return raw;
}

/** The colour profile Display P3: its white, the three columns of its matrix, and the curve of sRGB. */
function displayP3(): Buffer {
  const white = [0.9642, 1, 0.8249];
  const xyz = (...values: number[]) =>
    Buffer.concat([Buffer.from('XYZ \0\0\0\0', 'latin1'), fixed(...values)]);
  const parameters = fixed(2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045);
  const curve = Buffer.concat([Buffer.from('para\0\0\0\0\0\x03\0\0', 'latin1'), parameters]);
  const tags: [name: string, content: Buffer][] = [
    ['wtpt', xyz(...white)],
    ['rXYZ', xyz(0.515102, 0.241182, -0.001047)],
    ['gXYZ', xyz(0.291965, 0.692236, 0.041881)],
    ['bXYZ', xyz(0.157153, 0.066582, 0.784378)],
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
  ];
  const head = Buffer.alloc(128);
  head.writeUInt32BE(0x04000000, 8); // its version
  head.write('mntrRGB XYZ ', 12, 'latin1');
  head.write('acsp', 36, 'latin1');
  fixed(...white).copy(head, 68);
  const list = Buffer.alloc(4 + 12 * tags.length);
  list.writeUInt32BE(tags.length);
  let at = head.length + list.length;
  for (const [index, [name, content]] of tags.entries()) {
    list.write(name, 4 + 12 * index, 'latin1');
    list.writeUInt32BE(at, 8 + 12 * index);
    list.writeUInt32BE(content.length, 12 + 12 * index);
    at += content.length;
  }
  head.writeUInt32BE(at);
  return Buffer.concat([head, list, ...tags.map(([, content]) => content)]);
}

/** A real HEIC picture of one colour, of 320×320 pixels: ffmpeg encodes it, and it is wrapped here. */
export function heicPhoto(name: string, type: string): ChosenFile {
  // biome-ignore format: one line of arguments
  const mp4 = ffmpeg(['-f', 'lavfi', '-i', 'color=red:s=320x320', '-frames:v', '1', '-c:v', 'libx265', '-x265-params', 'log-level=none', '-pix_fmt', 'yuv420p', '-movflags', 'frag_keyframe+empty_moov', '-f', 'mp4']);
  const configuration = boxAt(mp4, mp4.indexOf('hvcC') - 4);
  const frame = boxAt(mp4, mp4.indexOf('mdat') - 4).subarray(8);
  const start = box('ftyp', Buffer.from('heic\0\0\0\0mif1heic', 'latin1'));
  const withOffset = (offset: number) =>
    box('meta', u32(0), ...heicItem(configuration, offset, frame.length));
  const offset = start.length + withOffset(0).length + 8;
  const content = Buffer.concat([start, withOffset(offset), box('mdat', frame)]);
  return { name, type, base64: content.toString('base64') };
}

/** The boxes that describe the one picture of a file, whose data begin at `offset`. */
const heicItem = (configuration: Buffer, offset: number, length: number): Buffer[] => [
  box('hdlr', u32(0, 0), Buffer.from('pict', 'latin1'), u32(0, 0, 0), Buffer.alloc(1)),
  box('pitm', u32(0), u16(1)),
  box('iloc', u32(0), u16(0x4400, 1, 1, 0, 1), u32(offset, length)),
  box('iinf', u32(0), u16(1), box('infe', u32(0x02000000), u16(1, 0), Buffer.from('hvc1\0', 'latin1'))),
  box(
    'iprp',
    box('ipco', configuration, box('ispe', u32(0, 320, 320))),
    box('ipma', u32(0, 1), u16(1), Buffer.from([2, 0x81, 0x02])),
  ),
];

const boxAt = (file: Buffer, at: number): Buffer => file.subarray(at, at + file.readUInt32BE(at));

function box(name: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([u32(body.length + 8), Buffer.from(name, 'latin1'), body]);
}

function u32(...values: number[]): Buffer {
  const raw = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) raw.writeUInt32BE(value, 4 * index);
  return raw;
}

function u16(...values: number[]): Buffer {
  const raw = Buffer.alloc(2 * values.length);
  for (const [index, value] of values.entries()) raw.writeUInt16BE(value, 2 * index);
  return raw;
}
