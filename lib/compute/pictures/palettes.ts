import type { Color } from './canvas.ts'

/** Colours of a picture. */
export interface Palette {
  readonly ground: Color
  /** Words. */
  readonly ink: Color
  /** Further words. */
  readonly soft: Color
  /** Paths, in their order. */
  readonly paths: readonly [Color, ...Color[]]
}

const LIGHT = { ink: [238, 239, 242], soft: [186, 190, 206] } as const satisfies Partial<Palette>
const DARK = { ink: [24, 24, 34], soft: [84, 84, 100] } as const satisfies Partial<Palette>

/** Every path stands out from its ground by a contrast of 3 to 1 at least: a test computes it. */
export const PALETTES: readonly Palette[] = [
  {
    ...LIGHT,
    ground: [16, 18, 27],
    paths: [
      [147, 167, 255],
      [255, 141, 141],
      [84, 209, 181],
      [232, 194, 76],
      [234, 148, 211],
    ],
  },
  {
    ...LIGHT,
    ground: [62, 15, 26],
    paths: [
      [255, 196, 160],
      [255, 112, 100],
      [250, 226, 186],
      [226, 134, 150],
      [255, 164, 88],
    ],
  },
  {
    ...LIGHT,
    ground: [10, 42, 38],
    paths: [
      [166, 236, 176],
      [244, 216, 118],
      [98, 204, 194],
      [236, 246, 222],
      [255, 156, 108],
    ],
  },
  {
    ...LIGHT,
    ground: [44, 20, 62],
    paths: [
      [246, 160, 236],
      [166, 148, 255],
      [255, 206, 124],
      [128, 226, 234],
      [255, 132, 158],
    ],
  },
  {
    ...DARK,
    ground: [241, 230, 208],
    paths: [
      [34, 58, 104],
      [184, 62, 44],
      [24, 110, 100],
      [150, 92, 8],
      [112, 60, 112],
    ],
  },
  {
    ...DARK,
    ground: [245, 244, 238],
    paths: [
      [26, 26, 34],
      [214, 44, 48],
      [30, 92, 204],
      [170, 108, 0],
      [0, 126, 98],
    ],
  },
  {
    ...DARK,
    ground: [200, 224, 236],
    paths: [
      [18, 52, 104],
      [190, 44, 44],
      [18, 98, 112],
      [112, 56, 124],
      [118, 78, 14],
    ],
  },
  {
    ...LIGHT,
    ground: [34, 47, 60],
    paths: [
      [255, 214, 98],
      [128, 222, 255],
      [255, 140, 128],
      [194, 242, 164],
      [224, 204, 255],
    ],
  },
  {
    ...DARK,
    ground: [249, 217, 212],
    paths: [
      [96, 20, 54],
      [186, 40, 62],
      [32, 76, 108],
      [160, 74, 20],
      [40, 96, 68],
    ],
  },
  {
    ...LIGHT,
    ground: [14, 30, 86],
    paths: [
      [255, 255, 255],
      [255, 204, 72],
      [122, 196, 255],
      [255, 126, 144],
      [128, 234, 196],
    ],
  },
]
