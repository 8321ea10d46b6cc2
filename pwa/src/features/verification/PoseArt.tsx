import type { ReactNode } from 'react';

const round = { fill: 'none', strokeLinecap: 'round', strokeLinejoin: 'round' } as const;

type Hand = {
  /** The path from the shoulder over the elbow to the wrist. */
  arm: string;
  /** The middle of the palm. */
  palm: [x: number, y: number];
  fingers: string;
};

/** The arm and hand of each pose, drawn over the same figure; none for an unknown pose. */
const hands: Record<string, Hand> = {
  thumb_up: {
    arm: 'M144 160 168 150 158 118',
    palm: [154, 98],
    fingers: 'M148 92 146 74M140 98h14M140 105h14',
  },
  peace_sign: {
    arm: 'M144 160 172 150 164 118',
    palm: [160, 100],
    fingers: 'M155 92 148 62M164 92 174 64',
  },
  three_fingers: {
    arm: 'M144 160 170 154 158 130',
    palm: [152, 114],
    fingers: 'M144 108 134 84M151 106 150 78M158 108 166 82',
  },
  flat_hand_on_head: {
    arm: 'M146 160 182 112 148 46',
    palm: [130, 38],
    fingers: 'M126 36 88 32M126 42 90 38',
  },
  touch_ear: { arm: 'M146 160 120 136 82 116', palm: [72, 100], fingers: 'M70 94 66 80' },
  wave: {
    arm: 'M144 160 176 148 170 112',
    palm: [168, 94],
    fingers: 'M159 90 148 70M164 86 160 58M171 86 174 58M176 92 190 72',
  },
  finger_on_nose: { arm: 'M146 160 172 134 142 108', palm: [128, 98], fingers: 'M122 94 104 80' },
  hand_on_heart: {
    arm: 'M52 160 64 142 96 146',
    palm: [112, 144],
    fingers: 'M112 140 132 138M112 148 132 148',
  },
  ok_sign: {
    arm: 'M144 160 174 150 166 118',
    palm: [162, 102],
    fingers: 'M158 98 146 92 148 80 158 84M164 94 164 66M170 96 180 70',
  },
  chin_on_fist: { arm: 'M146 166 142 146 116 128', palm: [104, 116], fingers: 'M98 112h14M98 118h14' },
};

function Arm({ hand }: { hand: Hand }): ReactNode {
  const [x, y] = hand.palm;
  return (
    <>
      <path className="stroke-raised" d={`${hand.arm} ${x} ${y}`} {...round} strokeWidth={23} />
      <path className="stroke-marigold" d={`${hand.arm} ${x} ${y}`} {...round} strokeWidth={13} />
      <path className="stroke-plum" d={hand.arm} {...round} strokeWidth={17} />
      <circle className="fill-marigold stroke-raised" cx={x} cy={y} r={12.5} strokeWidth={2.5} />
      <path className="stroke-raised" d={hand.fingers} {...round} strokeWidth={11} />
      <path className="stroke-marigold" d={hand.fingers} {...round} strokeWidth={7} />
      <circle className="fill-marigold" cx={x} cy={y} r={10} />
    </>
  );
}

/** A figure in the requested pose. Decorative: the instruction is shown beside it. */
export function PoseArt({ pose, className }: { pose: string; className?: string }) {
  const hand = hands[pose];
  return (
    <svg aria-hidden="true" className={className} viewBox="0 0 200 184">
      <circle className="fill-raised" cx="100" cy="92" r="90" />
      <path className="fill-plum" d="M42 178c0-36 22-58 58-58s58 22 58 58Z" />
      <path className="fill-marigold" d="M88 96h24v26a12 12 0 0 1-24 0Z" />
      <circle className="fill-marigold" cx="100" cy="76" r="32" />
      <path className="fill-ember" d="M66 76c-2-28 14-42 34-42s36 14 34 42c-6-16-18-24-34-24s-28 8-34 24Z" />
      <path className="stroke-photo-shade" d="M88 78v2M112 78v2" {...round} strokeWidth={4} />
      <path className="stroke-photo-shade" d="M91 93c5 4 13 4 18 0" {...round} strokeWidth={3} />
      {hand && <Arm hand={hand} />}
    </svg>
  );
}
