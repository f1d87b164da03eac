import type { Provenance } from '../../../execution/run-on-chain.ts'
import type { WorldStatePayload } from '../../../world-sdk/protocol.ts'
import { runPayload } from '../../world/run-payload.ts'
import type { GoodRun } from '../results/model/run.ts'

/** As a question of the studio holds them. */
type StartsWire = Readonly<
  Record<string, { readonly start_point: number; readonly transformation_shift: number }>
>

/** A run of the studio as Worlds are told of it. @param provenance Of a run on chain. */
export function runForWorlds({ asked, streams }: GoodRun, provenance?: Provenance): WorldStatePayload {
  return runPayload(
    {
      connector: asked.connector_name,
      count: Number(asked.particles_count),
      streams,
      dynamicRi: Object.entries((asked.dynamic_ri ?? {}) as StartsWire).map(([position, instance]) => ({
        position: Number(position),
        startPoint: instance.start_point,
        transformationShift: instance.transformation_shift,
      })),
      provenance: provenance && {
        block_number: provenance.blockNumber,
        block_hash: provenance.blockHash,
        runner: provenance.runner,
      },
    },
    'studio-plugin',
  )
}
