import { registerHooks } from 'node:module'

/** A change of the worker's code after which it loses, doubles or invents something. */
interface PlantedFault {
  readonly file: string
  readonly text: string
  readonly becomes: string
}

const follow = 'lib/indexer/follow.ts'
const rollback = 'lib/indexer/rollback.ts'

/** The letters are those of docs/following.md. */
export const PLANTED_FAULTS: Readonly<Record<string, PlantedFault>> = {
  '(b) a range need not continue the processed block': {
    file: follow,
    text: '!linked && parent?.hash !== processedHash',
    becomes: 'parent === undefined && !linked',
  },
  '(c) the chain may change while its events are read': {
    file: follow,
    text: 'before === undefined || after?.hash !== before.hash',
    becomes: 'before === undefined || after === undefined',
  },
  '(d) events may be of other blocks': {
    file: follow,
    text: 'logs.every(({ blockNumber, blockHash }) => hashes.get(blockNumber) === blockHash)',
    becomes: 'logs.every(({ blockNumber }) => hashes.has(blockNumber))',
  },
  'what one node calls final is final on the branch of another': {
    file: follow,
    text: 'processed === heads.head.hash ? heads',
    becomes: 'processed !== undefined ? heads',
  },
  'a range begins one block late': {
    file: follow,
    text: 'const from = processedBlock + 1',
    becomes: 'const from = Math.min(processedBlock + 2, head.number)',
  },
  'finality is sent twice': {
    file: follow,
    text: "status in ('observed', 'safe') and block_number",
    becomes: "status in ('observed', 'safe', 'finalized') and block_number",
  },
  'a rollback leaves one block': {
    file: rollback,
    text: 'await rollbackTo(sql, ancestor.number, nowMs)',
    becomes: 'await rollbackTo(sql, ancestor.number + 1, nowMs)',
  },
  'a rollback sends no deltas': {
    file: rollback,
    text: 'await appendDeltas(sql, descending, nowMs)',
    becomes: '',
  },
  'a rollback reaches below finality': {
    file: rollback,
    text: 'header !== undefined && header.number >= state.finalizedBlock',
    becomes: 'header !== undefined && header.number >= 0',
  },
  'a transaction does not check the writer lock': {
    file: 'lib/indexer/writer.ts',
    text: 'return row?.pid === session',
    becomes: 'return row !== undefined',
  },
  'deltas leave a number out': {
    file: 'lib/indexer/outbox.ts',
    text: 'Number(row.last) - deltas.length + 1',
    becomes: 'Number(row.last) - deltas.length + 2',
  },
}

/** Puts a fault into what this process imports from now on. @throws Error when its code is no longer there. */
export function plant(name: string): void {
  const fault = PLANTED_FAULTS[name]
  if (fault === undefined) throw new Error(`no such fault: ${name}`)
  registerHooks({
    load: (url, context, next) => {
      const loaded = next(url, context)
      if (!url.endsWith(fault.file)) return loaded
      const source = String(loaded.source)
      if (!source.includes(fault.text)) throw new Error(`${fault.file} has no '${fault.text}'`)
      return { ...loaded, source: source.replace(fault.text, () => fault.becomes) }
    },
  })
}
