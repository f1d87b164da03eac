import type { ReactNode } from 'react'
import { StillPlots } from '#lib/ui/plots/svg.tsx'

/**
 * Explains in three pictures how a piece comes about.
 *
 * @param streams Numbers of the piece on top of the page.
 * @param world Picture of a World.
 */
export function HowItWorks({
  streams,
  world,
}: {
  streams: readonly { readonly path: string; readonly data: readonly number[] }[]
  world: string | undefined
}) {
  return (
    <ol className="grid gap-x-6 gap-y-9 md:grid-cols-3">
      <Step
        title="A function makes the next number"
        picture={
          <span className="mono grid size-full place-items-center text-base sm:text-lg">
            return x + args[0];
          </span>
        }
      >
        One line of code, yours or another author’s: up by three, back and forth, a beat.
      </Step>
      <Step
        title="A piece plays voices side by side"
        picture={
          <StillPlots streams={streams.map(({ path, data }) => ({ path, data: data.slice(0, 32) }))} />
        }
      >
        Each voice goes on from its own last number: that is a melody, a rhythm, a line.
      </Step>
      <Step
        title="A World draws and plays them"
        picture={
          world === undefined ? null : (
            // biome-ignore lint/performance/noImgElement: the World's own picture
            <img src={world} alt="" loading="lazy" className="size-full object-cover" />
          )
        }
      >
        The same numbers as cloth, as a harp, as drums. Publish the piece, and it stays what it is for
        everyone.
      </Step>
    </ol>
  )
}

function Step({ title, picture, children }: { title: string; picture: ReactNode; children: ReactNode }) {
  return (
    <li className="min-w-0">
      <div className="relative aspect-[16/9] overflow-hidden rounded-md bg-sunk" aria-hidden="true">
        {picture}
      </div>
      <h3 className="mt-3 font-semibold">{title}</h3>
      <p className="mt-1 text-ink-soft text-sm">{children}</p>
    </li>
  )
}
