/** Hides an entity from lists and search: `npm run entity:hide -- NAME --because WORDS`; `--lift` shows it again. */
import { userInfo } from 'node:os'
import { parseArgs } from 'node:util'
import { setHidden } from '../lib/entities/hide-entity.ts'
import { ENTITY_KINDS } from '../lib/protocol/entity.ts'
import { isEntityName } from '../lib/protocol/names.ts'
import { runCommand } from './stack/command.ts'
import { openRunningDatabase } from './stack/running.ts'

const USAGE =
  'Name an entity: npm run entity:hide -- NAME [--kind connector] [--because WORDS] [--by NAME] [--lift]'

await runCommand(async () => {
  const { values, name } = readArguments()
  const kind = ENTITY_KINDS.find((each) => each === values.kind)
  if (!isEntityName(name) || (values.kind !== undefined && kind === undefined)) throw new Error(USAGE)
  const db = openRunningDatabase()
  try {
    const hidden = !values.lift
    const operator = values.by ?? userInfo().username
    const reason = values.because ?? ''
    const found = await setHidden(
      { db, clock: () => new Date() },
      { name, kind, hidden, operator: operator.slice(0, 200), reason: reason.slice(0, 1000) },
    )
    console.log(
      hidden
        ? `The ${found} ${name} is hidden from lists and search. Its page and the APIs still show it.`
        : `The ${found} ${name} is in lists and search again.`,
    )
  } finally {
    await db.close()
  }
})

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      options: {
        lift: { type: 'boolean', default: false },
        kind: { type: 'string' },
        because: { type: 'string' },
        by: { type: 'string' },
      },
      allowPositionals: true,
    })
    return { values, name: positionals.length === 1 ? (positionals[0] ?? '') : '' }
  } catch {
    throw new Error(USAGE)
  }
}
