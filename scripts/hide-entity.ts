/**
 * Hides an entity from lists and search, or with `--kind world` a World, by its slug, everywhere:
 * `npm run entity:hide -- NAME --because WORDS`; `--lift` shows it again.
 */
import { userInfo } from 'node:os'
import { setHidden } from '#lib/core/entities/hide-entity.ts'
import { setWorldHidden } from '#lib/core/worlds/hide-world.ts'
import { ENTITY_KINDS } from '#lib/protocol/entity.ts'
import { isEntityName } from '#lib/protocol/names.ts'
import { runOnDatabase } from './stack/running.ts'

const USAGE =
  'Name an entity or a World: npm run entity:hide -- NAME [--kind connector|world] [--because WORDS] [--by NAME] [--lift]'

const OPTIONS = {
  lift: { type: 'boolean', default: false },
  kind: { type: 'string' },
  because: { type: 'string', default: '' },
  by: { type: 'string' },
} as const

await runOnDatabase(USAGE, OPTIONS, async (ctx, { values, positionals: [name = '', ...more] }) => {
  const hidden = !values.lift
  const by = {
    operator: (values.by ?? userInfo().username).slice(0, 200),
    reason: values.because.slice(0, 1000),
  }
  if (values.kind === 'world' && name !== '' && more.length === 0) {
    await setWorldHidden(ctx, { slug: name, hidden, ...by })
    console.log(
      hidden
        ? `The World ${name} is hidden: no version of it is served.`
        : `The World ${name} is served again.`,
    )
    return
  }
  const kind = ENTITY_KINDS.find((each) => each === values.kind)
  if (!isEntityName(name) || more.length > 0 || (values.kind !== undefined && kind === undefined)) {
    throw new Error(USAGE)
  }
  const entityKind = await setHidden(ctx, { name, kind, hidden, ...by })
  console.log(
    hidden
      ? `The ${entityKind} ${name} is hidden from lists and search. Its page and the APIs still show it.`
      : `The ${entityKind} ${name} is in lists and search again.`,
  )
})
