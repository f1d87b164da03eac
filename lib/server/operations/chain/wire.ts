import type { Entity } from '../../../entities/get-entity.ts'
import type { Page } from '../../../entities/list-keys.ts'
import type { FeedItem } from '../../../feed/list-items.ts'
import { bareAddress } from '../../../protocol/address.ts'
import type { ConnectorDefinition } from '../../../protocol/definition.ts'

/*
 * Domain forms as this API writes them: every field present, maps where the domain has lists.
 */

/** What drafts have for an address. */
export const DRAFT_ADDRESS = '0x0' as const

export function entityWire({ name, owner, address }: Entity) {
  return { name, owner: bareAddress(owner), address: address ?? DRAFT_ADDRESS }
}

export function definitionWire(definition: ConnectorDefinition) {
  return {
    dimensions: definition.dimensions.map(({ transformations, composite, bindings }) => ({
      transformations: transformations.map(({ name, args }) => ({ name, args: [...args] })),
      composite,
      // Keys are decimals, so no name of an entity is ever a key.
      bindings: Object.fromEntries(bindings.map(({ slot, name }) => [slot, name])),
    })),
    condition_name: definition.conditionName,
    condition_args: [...definition.conditionArgs],
    static_ri: Object.fromEntries(
      definition.staticRi.map(({ position, startPoint, transformationShift }) => [
        position,
        { start_point: startPoint, transformation_shift: transformationShift },
      ]),
    ),
  }
}

/** @param spell How the list's keys are written. */
export function cursorWire({ nextAfter }: Page, spell: (key: string) => string = (key) => key) {
  return { has_more: nextAfter !== null, next_after: nextAfter === null ? null : spell(nextAfter) }
}

export function feedItemWire(item: FeedItem) {
  return {
    feed_id: item.feedId,
    event_type: item.eventType,
    status: item.status,
    visible: item.visible,
    tx_hash: item.txHash,
    block_number: item.blockNumber,
    tx_index: item.txIndex,
    log_index: item.logIndex,
    history_cursor: item.historyCursor,
    created_at_ms: item.createdAtMs,
    updated_at_ms: item.updatedAtMs,
    projector_version: item.projectorVersion,
    payload: { type: item.kind, name: item.name, owner: item.owner },
  }
}
