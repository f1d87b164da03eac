import { clipTypes } from '#lib/core/worlds/sdk/clip.ts'
import type { PictureSize } from '#lib/core/worlds/sdk/protocol.ts'
import type { CapturedWorld } from '#lib/studio/runs/runs.ts'
import type { MenuItem } from '#lib/ui/kit/menu.tsx'
import { CLIP_NAMES, useCapture } from '#lib/ui/world/use-capture.ts'

/** Shapes of a picture for a wall, a phone and a screen, as large as Worlds draw. */
const SHAPES: readonly (readonly [name: string, size: PictureSize])[] = [
  ['square', { width: 4096, height: 4096 }],
  ['tall', { width: 2304, height: 4096 }],
  ['wide', { width: 4096, height: 2304 }],
]
const CLIP_LENGTHS = [10, 30]

/**
 * Commands that save pictures and clips of the Worlds of a run, and how far they are, as a sentence.
 *
 * @param name Of the connector.
 */
export function useWorldExports(
  name: string,
  worlds: readonly CapturedWorld[],
): { readonly items: readonly MenuItem[]; readonly message: string } {
  const { busy, message, take } = useCapture()
  const items = worlds.flatMap((world): Omit<MenuItem, 'id' | 'enabled'>[] => {
    const file = `${name} ${world.name}`
    const picture = (size?: PictureSize) => () => void take(file, world, 'picture', size)
    return [
      ...(world.captures.includes('picture')
        ? [
            { label: `PNG: ${world.name}`, run: picture() },
            ...SHAPES.map(([shape, size]) => ({
              label: `PNG, ${shape}: ${size.width} × ${size.height}`,
              run: picture(size),
            })),
          ]
        : []),
      ...(world.captures.includes('clip')
        ? clipTypes().flatMap((type) =>
            CLIP_LENGTHS.map((seconds) => ({
              label: `${CLIP_NAMES[type]}: ${seconds} seconds of ${world.name}${world.record ? ', with its sound' : ''}`,
              run: () => void take(file, world, 'clip', { seconds, type }),
            })),
          )
        : []),
    ]
  })
  return { items: items.map((item, index) => ({ ...item, id: `world-${index}`, enabled: !busy })), message }
}
