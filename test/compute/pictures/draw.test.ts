import { loadImage } from '@napi-rs/canvas'
import { expect, test } from 'vitest'
import { drawPicture } from '#lib/compute/pictures/draw.ts'
import { PALETTES } from '#lib/compute/pictures/palettes.ts'
import { type Figure, PICTURE_SIZES, type PictureScene } from '#lib/compute/pictures/scene.ts'

const streams = [
  Array.from({ length: 48 }, (_, step) => 60 + ((step * 5) % 24)),
  Array.from({ length: 48 }, (_, step) => (step * step) % 17),
]
const scene: PictureScene = {
  size: 'card',
  title: 'first_light',
  caption: 'connector · 2 paths',
  seed: 'connector first_light',
  figure: { kind: 'threads', streams },
}

test('a card and a tile are PNGs of their sizes, the same for the same scene', async () => {
  for (const size of ['card', 'tile'] as const) {
    const png = await drawPicture({ ...scene, size })
    const { width, height } = await loadImage(png)
    expect([width, height]).toEqual(PICTURE_SIZES[size])
    expect(await drawPicture({ ...scene, size })).toEqual(png)
  }
})

test('other numbers, another name and another seed are other pictures', async () => {
  const others: PictureScene[] = [
    scene,
    { ...scene, title: 'second_light' },
    { ...scene, seed: 'connector second_light' },
    { ...scene, figure: { kind: 'threads', streams: [streams[1]!, streams[0]!] } },
    { ...scene, figure: { kind: 'bare' } },
    { ...scene, figure: { kind: 'answers', rows: [[true, false, undefined]] } },
  ]
  const drawn = await Promise.all(others.map(drawPicture))
  expect(new Set(drawn.map((png) => Buffer.from(png).toString('base64'))).size).toBe(others.length)
})

test.each<[string, Figure, string]>([
  ['no streams', { kind: 'threads', streams: [] }, ''],
  ['empty and single values', { kind: 'threads', streams: [[], [7], [0, 0, 0]] }, 'a'],
  [
    'the largest values',
    { kind: 'threads', streams: [[0, 4_294_967_295, 0, 4_294_967_295]] },
    'x'.repeat(4096),
  ],
  ['no answers', { kind: 'answers', rows: [] }, '\u202e\u0000\ud800日本'],
  ['more than is drawn', { kind: 'threads', streams: Array(100).fill(Array(5000).fill(1)) }, '<script>'],
])('%s are drawn, whatever the name is', async (_, figure, title) => {
  for (const size of ['card', 'tile'] as const) {
    const { width } = await loadImage(await drawPicture({ ...scene, size, figure, title, caption: title }))
    expect(width).toBe(PICTURE_SIZES[size][0])
  }
})

/** Relative luminance of WCAG 2. */
function luminance(color: readonly [number, number, number]): number {
  const [red = 0, green = 0, blue = 0] = color.map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(...colors: readonly (readonly [number, number, number])[]): number {
  const [light = 0, dark = 0] = colors.map(luminance).sort((one, other) => other - one)
  return (light + 0.05) / (dark + 0.05)
}

test('every path and word stands out from the ground of its palette', () => {
  for (const { ground, ink, soft, paths } of PALETTES) {
    for (const color of paths) expect(contrast(ground, color)).toBeGreaterThanOrEqual(3)
    expect(contrast(ground, ink)).toBeGreaterThanOrEqual(7)
    expect(contrast(ground, soft)).toBeGreaterThanOrEqual(4.5)
  }
})
