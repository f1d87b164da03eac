'use client'

import { useDeferredValue, useState } from 'react'
import { shortHex } from '#lib/browser/format.ts'
import { byFit } from '#lib/protocol/world-compatibility.ts'
import type { ShapeFound } from '#lib/studio/document/shapes.ts'
import { Row } from '#lib/ui/kit/button.tsx'
import { SearchField } from '#lib/ui/kit/field.tsx'
import { FitBadge } from '#lib/ui/world/feed/fit-badge.tsx'
import { TilePicture } from '#lib/ui/world-gallery/tile-picture.tsx'
import { ListStatus } from '../common/list-status.tsx'
import { fitOf, offeredConnector, usePluginWorlds } from './plugin-worlds.ts'

/**
 * Worlds for the studio, those that suit a connector first.
 *
 * @param shape Of the connector that they are compared with; undefined for none.
 * @param attached Ids of those that it has.
 * @param blocked Why none can be attached at present.
 */
export function PluginList({
  shape,
  attached,
  blocked,
  onAttach,
}: {
  shape: ShapeFound | undefined
  attached: ReadonlySet<string>
  blocked: string | undefined
  onAttach: (world: { readonly id: string; readonly name: string }) => void
}) {
  const [text, setText] = useState('')
  const search = useDeferredValue(text.trim())
  const query = usePluginWorlds(search)
  const { data = [] } = query
  const connector = shape && offeredConnector(shape)
  const fits = data.map((plugin) => ({
    plugin,
    compatibility: connector ? fitOf(plugin, connector) : undefined,
  }))
  const known = fits.flatMap(({ plugin, compatibility }) =>
    compatibility ? [{ plugin, compatibility }] : [],
  )
  const sorted = known.length === fits.length ? byFit(known) : fits
  return (
    <div>
      <SearchField label="Look for a World" value={text} onText={setText} />
      {blocked === undefined ? null : <p className="pt-1 text-ink-soft text-sm">{blocked}</p>}
      <ul aria-label="Worlds" className="mt-2 max-h-96 space-y-1 overflow-y-auto">
        {sorted.map(({ plugin: { tile }, compatibility }) => {
          const { name } = tile.framed
          const has = attached.has(tile.id)
          return (
            <li key={tile.id}>
              <Row
                disabled={has || blocked !== undefined}
                onClick={() => onAttach({ id: tile.id, name })}
                className="items-start p-1.5"
              >
                <span className="relative h-12 w-16 shrink-0 overflow-hidden rounded-sm bg-sunk">
                  <TilePicture tile={tile} />
                </span>
                <span className="min-w-0 flex-1">
                  <span className="flex flex-wrap items-baseline justify-between gap-x-2">
                    <span className="min-w-0 font-medium text-sm [overflow-wrap:anywhere]">{name}</span>
                    {has ? (
                      <span className="text-ink-soft text-xs">Attached</span>
                    ) : compatibility ? (
                      <FitBadge fit={compatibility.fit} />
                    ) : null}
                  </span>
                  <span className="block truncate text-ink-soft text-xs">
                    by {tile.ownerName ?? `0x${shortHex(tile.owner)}`}
                  </span>
                  {compatibility && compatibility.by !== 'anything' ? (
                    <span className="block text-ink-soft text-xs">{compatibility.reason}</span>
                  ) : null}
                </span>
              </Row>
            </li>
          )
        })}
      </ul>
      <ListStatus
        query={query}
        loading="Loading Worlds…"
        empty={
          data.length > 0
            ? undefined
            : search === ''
              ? 'No World for the studio is published yet.'
              : 'No World is called that.'
        }
        more="More"
      />
    </div>
  )
}
