'use client'

import { useId, useState } from 'react'
import { MAX_ATTACHED } from '#lib/studio/document/attached-worlds.ts'
import type { ShapeFound } from '#lib/studio/document/shapes.ts'
import { Button } from '#lib/ui/components/button.tsx'
import { StudioDialog } from '../common/dialog.tsx'
import { useEditorChoice, useGraphFits } from '../common/editor-choice.ts'
import { AttachedPlugin } from './attached-plugin.tsx'
import { PluginList } from './plugin-list.tsx'
import { offeredConnector } from './plugin-worlds.ts'
import { useWorldsOf } from './use-worlds-of.ts'

/**
 * The Worlds that draw the results of a connector, side by side where there is room; in the graph they are nodes, and
 * here only named.
 *
 * @param of `tabKey` of the connector's tab.
 */
export function WorldsSection({ of, shape }: { of: string; shape: ShapeFound }) {
  const title = useId()
  const worlds = useWorldsOf(of)
  const [{ editor }] = useEditorChoice()
  const inGraph = useGraphFits() && editor === 'graph'
  const { attached } = worlds
  const connector = attached.length > 0 ? offeredConnector(shape) : undefined
  if (attached.length === 0) return null
  return (
    <section aria-labelledby={title} className="@container pb-2">
      <h3 id={title} className="sr-only">
        Worlds
      </h3>
      {inGraph ? <p className="text-ink-soft text-sm">They draw in the graph.</p> : null}
      <ul className={inGraph ? '' : `grid gap-x-4 gap-y-3 ${attached.length > 1 ? '@md:grid-cols-2' : ''}`}>
        {attached.map(({ world, slots }) => (
          <li key={world} className="min-w-0">
            <AttachedPlugin
              of={of}
              id={world}
              slots={slots}
              connector={connector}
              {...(!inGraph && { shape: attached.length > 1 ? 'aspect-[3/4]' : ALONE })}
              onDetach={worlds.detach}
              onFeed={worlds.feed}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** As high as leaves the knobs below it in sight. */
const ALONE = 'h-[clamp(15rem,calc(100dvh-28rem),36rem)]'

/** Opens the choice of a World that draws the results of a connector. @param of `tabKey` of its tab. */
export function AddWorld({ of, shape }: { of: string; shape: ShapeFound }) {
  const worlds = useWorldsOf(of)
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button aria-haspopup="dialog" size="small" onClick={() => setOpen(true)}>
        Add a World…
      </Button>
      <StudioDialog
        open={open}
        onOpenChange={setOpen}
        title="Add a World"
        description="It draws what this connector generates, anew with every run."
      >
        <PluginList
          shape={shape}
          attached={new Set(worlds.attached.map(({ world }) => world))}
          blocked={worlds.room ? undefined : fullOf()}
          onAttach={(world) => {
            setOpen(false)
            worlds.attach(world)
          }}
        />
      </StudioDialog>
    </>
  )
}

/** Why there is no room for another World. */
export function fullOf(): string {
  return `A connector feeds ${MAX_ATTACHED} Worlds at most: take one away first.`
}
