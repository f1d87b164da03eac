import { moveCall, setArguments, setRunningInstance } from '#lib/studio/document/commands/connector.ts'
import { normaliseEntry } from '#lib/studio/document/normalise.ts'
import type {
  ConnectorEntry,
  DraftCall,
  Entry,
  Id,
  NewId,
  StudioDocument,
} from '#lib/studio/document/types.ts'
import type { SheetLayout } from '#lib/studio/explore/messages.ts'

/** A call as a row of numbers has it. */
interface RowCall {
  readonly name: string
  readonly args: readonly number[]
}

type Rows = SheetLayout['rows'][number]

function callsOf({ at, width, count, codes }: Rows, numbers: Uint32Array): RowCall[] {
  return Array.from({ length: count }, (_, row) => {
    const from = at + row * width
    const { name, argsCount } = codes[numbers[from]!]!
    return { name, args: [...numbers.subarray(from + 1, from + 1 + argsCount)] }
  })
}

/** Gives the numbers of a variation to the connector it was made from; the rest of the document stays. */
export function applyVariation(
  document: StudioDocument,
  entryId: Id,
  layout: SheetLayout,
  numbers: Uint32Array,
): StudioDocument {
  const entry = connectorOf(document, entryId)
  if (entry === undefined) return document
  let next = document
  for (const { position } of layout.positions) {
    const [start, shift] = [2 * position, 2 * position + 1]
    if (numbers[start] === layout.own[start] && numbers[shift] === layout.own[shift]) continue
    next = setRunningInstance(next, {
      entryId,
      position,
      startPoint: String(numbers[start]),
      transformationShift: String(numbers[shift]),
    })
  }
  for (const rows of layout.rows) {
    const dimension = entry.dimensions[rows.dimension]
    if (rows.connector !== entry.name || dimension?.calls.length !== rows.count) continue
    const at = { entryId, dimensionId: dimension.id }
    const left = [...dimension.calls]
    for (const [to, { name, args }] of callsOf(rows, numbers).entries()) {
      const call =
        left.find((one) => one.name === name && sameArguments(one, args)) ??
        left.find((one) => one.name === name)
      if (call === undefined) break
      left.splice(left.indexOf(call), 1)
      next = moveCall(next, { ...at, callId: call.id, to })
      if (sameArguments(call, args)) continue
      next = setArguments(next, { kind: 'call', ...at, callId: call.id }, args.map(String))
    }
  }
  return next
}

/** A copy of the connector with the numbers of a variation; its name is still that of the connector. */
export function variedCopy(
  document: StudioDocument,
  entryId: Id,
  {
    layout,
    numbers,
    newId,
  }: { readonly layout: SheetLayout; readonly numbers: Uint32Array; readonly newId: NewId },
): Entry | undefined {
  const varied = connectorOf(applyVariation(document, entryId, layout, numbers), entryId)
  return varied && normaliseEntry(varied, () => newId())
}

/** Changes of a variation, in the words of the outline: `climb 5 24 → 7 24`, `start of 2: 0 → 12`. */
export function changesOf(layout: SheetLayout, numbers: Uint32Array): string[] {
  const changes: string[] = []
  for (const rows of layout.rows) {
    const before = callsOf(rows, layout.own)
    const after = callsOf(rows, numbers)
    if (before.some(({ name }, row) => name !== after[row]!.name)) {
      changes.push(`${after.map(({ name, args }) => [name, ...args].join(' ')).join(', ')}`)
      continue
    }
    for (const [row, { name, args }] of after.entries()) {
      const old = before[row]!.args.join(' ')
      if (old !== args.join(' ')) changes.push(`${name} ${old} → ${args.join(' ')}`)
    }
  }
  for (const { position } of layout.positions) {
    for (const [at, word] of [
      [2 * position, 'start'],
      [2 * position + 1, 'shift'],
    ] as const) {
      if (numbers[at] !== layout.own[at]) {
        changes.push(`${word} of ${position}: ${layout.own[at]} → ${numbers[at]}`)
      }
    }
  }
  return changes
}

function sameArguments(call: DraftCall, args: readonly number[]): boolean {
  return call.args.length === args.length && args.every((arg, index) => Number(call.args[index]) === arg)
}

function connectorOf({ entries }: StudioDocument, id: Id): ConnectorEntry | undefined {
  const entry = entries.find((one) => one.id === id)
  return entry?.kind === 'connector' ? entry : undefined
}
