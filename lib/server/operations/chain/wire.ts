import type { Entity } from '#lib/core/entities/get-entity.ts'
import type { Page } from '#lib/core/entities/list-keys.ts'
import type { FeedItem } from '#lib/core/feed/list-items.ts'
import { bareAddress } from '#lib/protocol/address.ts'

/*
 * Domain forms as this API writes them: every field present, maps where the domain has lists.
 */

/** Address of drafts. */
export const DRAFT_ADDRESS = '0x0' as const

export function entityWire({ name, owner, address }: Entity) {
  return { name, owner: bareAddress(owner), address: address ?? DRAFT_ADDRESS }
}

/** A transformation or a condition. */
export function codeWire(entity: Entity & { readonly argsCount: number }) {
  return { ...entityWire(entity), args_count: entity.argsCount }
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
