'use client'

import { ImagePlus } from 'lucide-react'
import { memo, useId, useState } from 'react'
import type { ShapeFound } from '#lib/studio/document/shapes.ts'
import { IconButton } from '#lib/ui/kit/icon-button.tsx'
import { StudioDialog } from '../common/dialog.tsx'
import { useEditorChoice, useGraphFits } from '../common/editor-choice.ts'
import { AttachedFrame, AttachedPlugin } from './attached-plugin.tsx'
import { PluginList } from './plugin-list.tsx'
import { offeredConnector } from './plugin-worlds.ts'
import { fullOf, useWorldsOf } from './use-worlds-of.ts'

/** The Worlds that draw the results of a connector, side by side where there is room. @param of `tabKey` of its tab. */
export function WorldFrames({ of, shape }: { of: string; shape: ShapeFound }) {
  const worlds = useWorldsOf(of)
  const { attached } = worlds
  const connector = attached.length > 0 ? offeredConnector(shape) : undefined
  return (
    <ul className={`grid min-h-0 flex-1 gap-3 ${attached.length > 1 ? '@md:grid-cols-2' : ''}`}>
      {attached.map(({ world, slots }) => (
        <li key={world} className="flex min-h-60 min-w-0 flex-col">
          <AttachedFrame of={of} id={world} slots={slots} connector={connector} onFeed={worlds.feed} />
        </li>
      ))}
    </ul>
  )
}

/** Names of the Worlds of a connector, how well they fit, and a way to take each away. @param of `tabKey` of its tab. */
export function WorldLines({ of, shape }: { of: string; shape: ShapeFound }) {
  const title = useId()
  const worlds = useWorldsOf(of)
  const [{ editor }] = useEditorChoice()
  const inGraph = useGraphFits() && editor === 'graph'
  const { attached } = worlds
  if (attached.length === 0) return null
  const connector = offeredConnector(shape)
  return (
    <section aria-labelledby={title} className="pb-2">
      <h3 id={title} className="sr-only">
        Worlds
      </h3>
      {inGraph ? <p className="text-ink-soft text-sm">They draw in the graph.</p> : null}
      <ul>
        {attached.map(({ world, slots }) => (
          <li key={world} className="min-w-0">
            <AttachedPlugin
              of={of}
              id={world}
              slots={slots}
              connector={connector}
              onDetach={worlds.detach}
              onFeed={worlds.feed}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Opens the choice of a World that draws the results of a connector. @param of `tabKey` of its tab. */
export const AddWorld = memo(function AddWorld({ of, shape }: { of: string; shape: ShapeFound }) {
  const worlds = useWorldsOf(of)
  const [open, setOpen] = useState(false)
  return (
    <>
      <IconButton label="Add a World…" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <ImagePlus aria-hidden="true" />
      </IconButton>
      <StudioDialog
        open={open}
        onOpenChange={setOpen}
        title="Add a World"
        description="It draws what this piece plays, anew with every change."
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
})
