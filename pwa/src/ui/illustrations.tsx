import type { ReactNode } from 'react';
import { type IllustrationName, line } from './illustrationLine.ts';

const heart = 'M0 8C-9-1-14-6-10-13-7-18-1-16 0-11 1-16 7-18 10-13 14-6 9-1 0 8Z';

function Heart({ x, y, size = 1, className }: { x: number; y: number; size?: number; className: string }) {
  return <path className={className} d={heart} transform={`translate(${x} ${y}) scale(${size})`} />;
}

const pictures: Record<IllustrationName, ReactNode> = {
  people: (
    <>
      <path className="fill-ember" d="M38 118c0-24 12-40 32-40s30 16 30 40Z" />
      <circle className="fill-ember" cx="70" cy="56" r="18" />
      <path className="fill-plum" d="M100 118c0-24 12-40 32-40s30 16 30 40Z" />
      <circle className="fill-plum" cx="132" cy="56" r="18" />
      <Heart className="fill-marigold" size={0.9} x={101} y={34} />
    </>
  ),
  hearts: (
    <>
      <Heart className="fill-plum" size={2.6} x={80} y={86} />
      <Heart className="fill-ember" size={2.6} x={120} y={80} />
      <Heart className="fill-marigold" size={0.7} x={52} y={40} />
      <Heart className="fill-marigold" size={0.5} x={154} y={36} />
    </>
  ),
  letters: (
    <>
      <path
        className="fill-plum"
        d="M40 48h84a10 10 0 0 1 10 10v32a10 10 0 0 1-10 10H74l-20 16v-16H40a10 10 0 0 1-10-10V58a10 10 0 0 1 10-10Z"
      />
      <path
        className="fill-ember"
        d="M96 70h60a10 10 0 0 1 10 10v22a10 10 0 0 1-10 10h-4v14l-18-14H96a10 10 0 0 1-10-10V80a10 10 0 0 1 10-10Z"
      />
      <Heart className="fill-surface" size={0.9} x={126} y={96} />
    </>
  ),
  door: (
    <>
      <path className="fill-ember" d="M64 120V66a36 36 0 0 1 72 0v54Z" />
      <path className="fill-surface" d="M76 120V68a24 24 0 0 1 48 0v52Z" />
      <path className="fill-plum" d="m124 120 26 8V60l-26-12Z" />
      <circle className="fill-marigold" cx="131" cy="92" r="3.5" />
      <path
        className="fill-marigold"
        d="M100 72c2 10 14 15 14 28a14 14 0 0 1-28 0c0-7 4-11 7-15 1 3 2 4 4 5 0-7 1-13 3-18Z"
      />
    </>
  ),
  road: (
    <>
      <path
        className="stroke-plum"
        d="M30 116c30-4 30-34 60-34s26 22 46 22 22-34 34-40"
        strokeDasharray="2 10"
        {...line}
        strokeWidth="5"
      />
      <path className="fill-ember" d="M170 64c-8-10-13-15-13-23a13 13 0 0 1 26 0c0 8-5 13-13 23Z" />
      <circle className="fill-surface" cx="170" cy="41" r="5" />
      <Heart className="fill-marigold" size={0.8} x={34} y={104} />
    </>
  ),
  cloud: (
    <>
      <path className="fill-plum" d="M62 108a24 24 0 0 1-2-48 34 34 0 0 1 64-8 28 28 0 1 1 12 56Z" />
      <path
        className="stroke-marigold"
        d="M84 80c10-9 22-9 32 0M92 89c5-4 11-4 16 0"
        {...line}
        strokeWidth="5"
      />
      <circle className="fill-marigold" cx="100" cy="97" r="3.5" />
    </>
  ),
};

/** The picture of an illustration, within its frame. */
export default function Picture({ name }: { name: IllustrationName }) {
  return pictures[name];
}
