import type { PreviewAnswer } from '../../../api/studio/preview-schemas.ts'
import type { Hex } from '../../../domain/entity.ts'
import type { CompiledBody } from './engine/messages.ts'
import type { SliceRequest } from './slice-of.ts'

type Body = SliceRequest['bodies'][number]

/** Code that the server made of sources, whatever their names. Only the newest are kept. */
export interface CompiledBodies {
  /** Undefined while one of them was not compiled, or does not compile. */
  find(bodies: readonly Body[]): readonly CompiledBody[] | undefined
  learn(bodies: readonly Body[], compiled: PreviewAnswer['bodies']): void
}

const MAX_KEPT = 1000

export function createCompiledBodies(): CompiledBodies {
  const kept = new Map<string, { readonly argsCount: number; readonly runtime: Hex }>()
  const keyOf = ({ kind, sol_src: source }: Body) => `${kind} ${source}`

  return {
    find(bodies) {
      const found: CompiledBody[] = []
      for (const body of bodies) {
        const compiled = kept.get(keyOf(body))
        if (compiled === undefined) return undefined
        found.push({ kind: body.kind, name: body.name, ...compiled })
      }
      return found
    },
    learn(bodies, compiled) {
      const answers = new Map(compiled.map((body) => [`${body.kind}/${body.name}`, body]))
      for (const body of bodies) {
        const answer = answers.get(`${body.kind}/${body.name}`)
        if (!answer || answer.args_count === null || answer.runtime === null) continue
        const key = keyOf(body)
        kept.delete(key)
        kept.set(key, { argsCount: answer.args_count, runtime: answer.runtime as Hex })
      }
      for (const key of kept.keys()) {
        if (kept.size <= MAX_KEPT) break
        kept.delete(key)
      }
    },
  }
}
