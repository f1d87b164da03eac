'use client'

import { X } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { worldPageHref } from '#lib/protocol/run-link.ts'
import type { OfferedConnector } from '#lib/protocol/world-compatibility.ts'
import type { SlotChoice } from '#lib/protocol/world-slots.ts'
import { TextButton } from '#lib/ui/kit/button.tsx'
import { IconButton } from '#lib/ui/kit/icon-button.tsx'
import { LoadLater, laterPart } from '#lib/ui/kit/load-later.tsx'
import { FitBadge } from '#lib/ui/world/feed/fit-badge.tsx'
import { fitOf, usePluginWorld } from './plugin-worlds.ts'

const pluginFrame = laterPart('The World', () =>
  import('./plugin-frame.tsx').then((loaded) => loaded.PluginFrame),
)

const NONE: readonly SlotChoice[] = []

/**
 * A World attached to a connector: its name, how well it fits, and its frame.
 *
 * @param of `tabKey` of the connector's tab.
 * @param slots Connectors chosen for its slots.
 * @param shape Classes that size the frame; absent where the frame is elsewhere.
 * @param handle Rendered before its name.
 */
export function AttachedPlugin({
  of,
  id,
  slots = NONE,
  connector,
  shape,
  handle,
  onDetach,
  onFeed,
}: {
  of: string
  id: string
  slots?: readonly SlotChoice[] | undefined
  connector: OfferedConnector | undefined
  shape?: string
  handle?: ReactNode
  onDetach: (world: { readonly id: string; readonly name: string }) => void
  onFeed: (world: string, choice: SlotChoice) => void
}) {
  const { data: plugin, isError, refetch } = usePluginWorld(id)
  const reason = useId()
  const fit = plugin && connector ? fitOf(plugin, connector) : undefined
  const name = plugin?.tile.framed.name ?? (plugin === null ? 'A World that is gone' : 'World')
  return (
    <>
      <div className="flex min-h-11 items-center gap-2">
        {handle}
        {plugin ? (
          <a
            className="min-w-0 truncate font-medium text-sm underline-offset-4 hover:underline"
            href={worldPageHref(plugin.tile.slug)}
            title={`Page of ${name}`}
          >
            {name}
          </a>
        ) : (
          <span className="min-w-0 truncate text-ink-soft text-sm">{name}</span>
        )}
        <span className="ml-auto flex shrink-0 items-center gap-1">
          {fit ? (
            <span title={fit.reason} aria-describedby={reason}>
              <FitBadge fit={fit.fit} />
            </span>
          ) : null}
          <IconButton label={`Take ${name} away`} title="Take it away" onClick={() => onDetach({ id, name })}>
            <X aria-hidden="true" />
          </IconButton>
        </span>
      </div>
      {shape && plugin ? (
        <LoadLater
          part={pluginFrame}
          props={{ of, plugin, connector, slots, shape, onFeed: (choice) => onFeed(id, choice) }}
          opening="Opening the World…"
        />
      ) : null}
      <div className="pt-1 text-ink-soft text-sm">
        {fit && fit.by !== 'anything' ? <p id={reason}>{fit.reason}</p> : null}
        {fit?.by === 'anything' ? (
          <p id={reason} className="sr-only">
            {fit.reason}
          </p>
        ) : null}
        {plugin && connector === undefined ? <p>How well it fits shows once the piece is whole.</p> : null}
        {plugin === null ? <p>Its author deleted it, or it no longer is one for the studio.</p> : null}
        {isError ? (
          <p role="status">
            It cannot be reached now. <TextButton onClick={() => refetch()}>Try again</TextButton>
          </p>
        ) : null}
      </div>
    </>
  )
}

/** The frame of an attached World alone, which fills a flex column; `AttachedPlugin` says elsewhere what it is. */
export function AttachedFrame({
  of,
  id,
  slots = NONE,
  connector,
  onFeed,
}: {
  of: string
  id: string
  slots?: readonly SlotChoice[] | undefined
  connector: OfferedConnector | undefined
  onFeed: (world: string, choice: SlotChoice) => void
}) {
  const { data: plugin, isError, refetch } = usePluginWorld(id)
  if (plugin) {
    return (
      <LoadLater
        part={pluginFrame}
        props={{ of, plugin, connector, slots, onFeed: (choice) => onFeed(id, choice) }}
        opening="Opening the World…"
      />
    )
  }
  return (
    <p role="status" className="m-auto p-4 text-ink-soft text-sm">
      {plugin === null ? (
        'The World that drew this is gone: choose another view, or add another World.'
      ) : isError ? (
        <>
          The World cannot be reached now. <TextButton onClick={() => refetch()}>Try again</TextButton>
        </>
      ) : (
        'Opening the World…'
      )}
    </p>
  )
}
