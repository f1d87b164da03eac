'use client'

import { type CSSProperties, useState } from 'react'
import { counted } from '#lib/browser/format.ts'
import { MAX_PARTICLES, MIN_PARTICLES, particlesCount } from '#lib/views/run.ts'

/** The slider doubles so often. */
const OCTAVES = Math.log2(MAX_PARTICLES)

/** The number of particles: a slider that doubles with each step, and a number field. Without a script it is a form. */
export function CountField({
  connector,
  count,
  onCount,
}: {
  connector: string
  count: number
  onCount: (count: number) => void
}) {
  const [typed, setTyped] = useState<string>()
  const notch = Math.round(Math.log2(count))
  const fill = { '--fill': `${(notch / OCTAVES) * 100}%` } as CSSProperties
  const settle = () => {
    if (typed !== undefined) onCount(particlesCount(typed))
    setTyped(undefined)
  }
  return (
    <form
      action="/#particles"
      className="flex flex-wrap items-center gap-x-4 gap-y-1"
      onSubmit={(event) => {
        event.preventDefault()
        settle()
      }}
    >
      <input type="hidden" name="connector" value={connector} />
      <label htmlFor="count" className="font-medium text-sm">
        Particles
      </label>
      <input
        type="range"
        aria-label="Particles, doubling with each step"
        min={0}
        max={OCTAVES}
        value={notch}
        aria-valuetext={counted(count, 'particle')}
        onChange={(event) => {
          setTyped(undefined)
          onCount(2 ** event.currentTarget.valueAsNumber)
        }}
        className="scripted shuttle w-36 sm:w-52"
        style={fill}
      />
      <input
        id="count"
        name="count"
        type="number"
        inputMode="numeric"
        min={MIN_PARTICLES}
        max={MAX_PARTICLES}
        step={1}
        value={typed ?? count}
        onChange={(event) => {
          const text = event.currentTarget.value
          setTyped(text)
          if (event.currentTarget.validity.valid && text !== '') onCount(particlesCount(text))
        }}
        onBlur={settle}
        className="mono min-h-11 w-24 rounded-md border border-edge bg-raised px-2.5 text-right text-sm"
      />
      <button
        type="submit"
        className="unscripted min-h-11 rounded-md border border-edge px-4 font-medium text-sm"
      >
        Show
      </button>
    </form>
  )
}
