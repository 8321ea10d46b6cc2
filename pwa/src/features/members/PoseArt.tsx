import type { ReactNode } from 'react';

const stroke = {
  fill: 'none',
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
  strokeWidth: 7,
} as const;

/** The arm and hand of each pose, drawn over the same figure. Where there is none, the words say enough. */
const hands: Record<string, ReactNode> = {
  thumb_up: <path d="M150 150 158 108 150 92M150 92h14M150 100h13M151 108h11M150 92V72" {...stroke} />,
  peace_sign: <path d="M152 152 160 108M160 104 150 72M160 104 172 74M152 106h18" {...stroke} />,
  three_fingers: <path d="M148 154 152 120M152 118 142 90M152 118V86M152 118 164 92" {...stroke} />,
  flat_hand_on_head: <path d="M146 152 168 84 124 34 84 36" {...stroke} />,
  touch_ear: <path d="M60 156 70 124 116 106 134 74" {...stroke} />,
  wave: <path d="M148 152 166 104M166 100 154 74M166 98V66M166 100 178 72M164 104 190 84" {...stroke} />,
  finger_on_nose: <path d="M146 154 152 116 106 76" {...stroke} />,
  hand_on_heart: <path d="M146 156 136 140 106 142M106 142 96 138" {...stroke} />,
  ok_sign: (
    <>
      <circle cx="158" cy="92" fill="none" r="10" strokeWidth={7} />
      <path d="M148 152 156 104M164 84 158 62M168 88 172 66M170 94 186 76" {...stroke} />
    </>
  ),
  chin_on_fist: <path d="M150 156 132 132 110 110" {...stroke} />,
};

/** A figure in the pose that is asked for. Decorative: the instruction stands beside it. */
export function PoseArt({ pose, className }: { pose: string; className?: string }) {
  return (
    <svg aria-hidden="true" className={className} viewBox="0 0 200 180">
      <circle className="fill-raised" cx="100" cy="92" r="84" />
      <path className="fill-plum" d="M42 172c0-36 22-54 58-54s58 18 58 54Z" />
      <path className="fill-marigold" d="M88 96h24v26a12 12 0 0 1-24 0Z" />
      <circle className="fill-marigold" cx="100" cy="76" r="32" />
      <path className="fill-ember" d="M66 74c0-26 14-38 34-38s34 12 34 38c-8-14-20-20-34-20s-26 6-34 20Z" />
      <path
        className="stroke-photo-shade"
        d="M88 78v2M112 78v2M90 92c6 5 14 5 20 0"
        {...stroke}
        strokeWidth={3.5}
      />
      <g className="stroke-ember-strong">{hands[pose]}</g>
    </svg>
  );
}
