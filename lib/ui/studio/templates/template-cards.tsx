'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { ConnectorSound } from '#lib/engine/sound/settings.ts'
import { attachWorld } from '#lib/studio/document/attached-worlds.ts'
import { addEntry } from '#lib/studio/document/commands/entries.ts'
import { memoizeByObject } from '#lib/studio/document/memoize.ts'
import { newId, tabKey } from '#lib/studio/document/types.ts'
import { entriesOf, TEMPLATES, type Template, valuesOf, withoutKnown } from '#lib/studio/library/templates.ts'
import { threadColor } from '#lib/ui/components/thread-colors.ts'
import { Press } from '#lib/ui/kit/button.tsx'
import { stepPath } from '#lib/ui/plots/svg.tsx'
import { useCurrentSession, useSound } from '../common/session.tsx'
import { publishedPhrases } from '../library/published-phrases.ts'
import { findPluginWorld } from '../worlds/plugin-worlds.ts'

/** The templates as cards: the one that has the pointer or the focus moves and is what Play plays; one press opens it. */
export function TemplateCards({ onOpen }: { onOpen?: () => void }) {
  const open = useOpenTemplate()
  const { transport } = useSound()
  useEffect(() => () => transport.endLoan(), [transport])
  const sounds = useRef(new Map<string, ConnectorSound>())
  const withSound = (template: Template) => ({
    ...template,
    sound: sounds.current.get(template.name) ?? template.sound,
  })
  const listen = (template: Template) => {
    const { name, title, sound } = withSound(template)
    transport.lend({
      ...{ key: `template/${name}`, name: title, streams: streamsOf(template), sound },
      onSound: (_label, change) => {
        sounds.current.set(name, change(sound))
        listen(template)
      },
    })
  }
  const [opening, setOpening] = useState<Template>()
  return (
    <ul className="grid grid-cols-2 gap-2 @lg:grid-cols-3 @xl:grid-cols-4">
      {TEMPLATES.map((template) => (
        <li key={template.name} className="min-w-0">
          <Press // A disabled one would lose the focus, which goes on to what opens.
            aria-disabled={opening !== undefined}
            aria-label={template.title}
            aria-describedby={`template-${template.name}`}
            onPointerEnter={({ pointerType }) => pointerType === 'mouse' && listen(template)}
            onFocus={() => listen(template)}
            onClick={() => {
              if (opening !== undefined) return
              setOpening(template)
              onOpen?.()
              void open(withSound(template)).finally(() => setOpening(undefined))
            }}
            className="group flex h-full w-full flex-col overflow-hidden rounded-lg border border-line bg-raised text-left transition-colors hover:border-accent"
          >
            <Picture template={template} />
            <span className="p-2.5">
              <span className="block font-medium text-sm">{template.title}</span>
              <span id={`template-${template.name}`} className="block text-ink-soft text-xs">
                {template.advice}
              </span>
            </span>
          </Press>
        </li>
      ))}
    </ul>
  )
}

const PLAYED_STEPS = 64
/** The same ones each time: the transport takes over only what is new. */
const streamsOf = memoizeByObject((template: Template) =>
  valuesOf(template, PLAYED_STEPS).map((data, index) => ({ path: `/${template.name}:${index}`, data })),
)

/** Time for which a template waits to know what the network has. */
const TIMEOUT_MS = 1_500

/** Adds a template under names that are free and opens it; its World follows when it is found. One step of undo. */
function useOpenTemplate(): (template: Template) => Promise<void> {
  const { document: store, openTab, freeNames } = useCurrentSession()
  const queries = useQueryClient()
  return async (template) => {
    const plugin =
      template.world === undefined ? undefined : findPluginWorld(template.world).catch(() => undefined)
    const published = await Promise.race([
      queries.fetchQuery(publishedPhrases).catch(() => undefined),
      new Promise<undefined>((resolve) => setTimeout(resolve, TIMEOUT_MS)),
    ])
    const { document } = store.getState()
    const isPublished = (name: string) => published?.has(name) ?? false
    const entries = await freeNames(withoutKnown(entriesOf(template, newId), document, isPublished))
    const [first] = entries
    if (first === undefined) return
    const tab = { kind: 'entry', entryId: first.id } as const
    const label = `Template: ${template.title}`
    const merge = { merge: `template/${first.id}` }
    store.edit(
      label,
      (before) => entries.reduce((document, entry) => addEntry(document, { entry }), before),
      merge,
    )
    openTab(tab)
    const world = await plugin
    const there = () => store.getState().document.entries.some(({ id }) => id === first.id)
    if (world !== undefined && there()) {
      store.edit(label, (document) => attachWorld(document, tabKey(tab), world.tile.id), merge)
    }
  }
}

const [WIDTH, HEIGHT] = [160, 64]
const STEPS = 32

/** Drawn from the template's own numbers; it moves while the card has the pointer or the focus. */
function Picture({ template }: { template: Template }) {
  const streams = valuesOf(template, STEPS)
  const drawing = DRAWINGS[template.picture](streams)
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      className="aspect-[5/2] w-full border-line border-b bg-sunk"
    >
      <g className="group-hover:animate-drift group-focus-visible:animate-drift">
        {drawing}
        <g transform={`translate(${WIDTH} 0)`}>{drawing}</g>
      </g>
    </svg>
  )
}

type Streams = readonly (readonly number[])[]

const DRAWINGS = {
  steps: (streams: Streams) =>
    streams.map((values, index) => {
      const d = stepPath(values, { width: WIDTH, top: 8, bottom: HEIGHT - 8 })
      // biome-ignore lint/suspicious/noArrayIndexKey: streams have their order only
      return <path key={index} d={d} fill="none" stroke={threadColor(index)} strokeWidth="2" />
    }),
  hits: (streams: Streams) =>
    streams.flatMap((values, index) => {
      const middle = (Math.min(...values) + Math.max(...values)) / 2
      const y = ((index + 0.5) * HEIGHT) / streams.length
      return values.map((value, step) => (
        <circle
          // biome-ignore lint/suspicious/noArrayIndexKey: streams have their order only
          key={`${index} ${step}`}
          cx={((step + 0.5) * WIDTH) / STEPS}
          cy={y}
          r={value > middle ? 2.4 : 0.8}
          fill={threadColor(index)}
        />
      ))
    }),
  stars: ([x = [], y = [], size = []]: Streams) => {
    const [left, top] = [scaled(x, 2, WIDTH - 2), scaled(y, 2, HEIGHT - 2)]
    return x.map((_, step) => (
      <circle
        // biome-ignore lint/suspicious/noArrayIndexKey: a star is its step
        key={step}
        cx={left(step)}
        cy={top(step)}
        r={0.8 + (size[step] ?? 0) / 4}
        fill={threadColor(step % 3)}
      />
    ))
  },
  weave: ([warp = [], weft = []]: Streams) =>
    Array.from({ length: 8 * 20 }, (_, cell) => {
      const [row, column] = [Math.floor(cell / 20), cell % 20]
      const over = ((warp[column] ?? 0) + (weft[row] ?? 0)) % 4 < 2
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place
        <rect key={cell} x={column * 8} y={row * 8} width="7" height="7" fill={threadColor(over ? 0 : 1)} />
      )
    }),
} as const

/** Maps the values of a stream onto a range of pixels. */
function scaled(values: readonly number[], from: number, to: number): (step: number) => number {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  return (step) =>
    Math.round((from + (((values[step] ?? 0) - least) / Math.max(1, most - least)) * (to - from)) * 10) / 10
}
