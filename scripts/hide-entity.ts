/** Hides an entity from lists and search: `npm run entity:hide -- NAME --because WORDS`; `--lift` shows it again. */
import { userInfo } from 'node:os'
import { setHidden } from '#lib/core/entities/hide-entity.ts'
import { ENTITY_KINDS } from '#lib/protocol/entity.ts'
import { isEntityName } from '#lib/protocol/names.ts'
import { runOnDatabase } from './stack/running.ts'

const USAGE =
  'Name an entity: npm run entity:hide -- NAME [--kind connector] [--because WORDS] [--by NAME] [--lift]'

const OPTIONS = {
  lift: { type: 'boolean', default: false },
  kind: { type: 'string' },
  because: { type: 'string', default: '' },
  by: { type: 'string' },
} as const

await runOnDatabase(USAGE, OPTIONS, async (ctx, { values, positionals: [name = '', ...more] }) => {
  const kind = ENTITY_KINDS.find((each) => each === values.kind)
  if (!isEntityName(name) || more.length > 0 || (values.kind !== undefined && kind === undefined)) {
    throw new Error(USAGE)
  }
  const hidden = !values.lift
  const found = await setHidden(ctx, {
    name,
    kind,
    hidden,
    operator: (values.by ?? userInfo().username).slice(0, 200),
    reason: values.because.slice(0, 1000),
  })
  console.log(
    hidden
      ? `The ${found} ${name} is hidden from lists and search. Its page and the APIs still show it.`
      : `The ${found} ${name} is in lists and search again.`,
  )
})
