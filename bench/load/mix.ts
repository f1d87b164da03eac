import { definitionRequest } from '../network/wire.ts'
import { words } from './names.ts'
import type { Publication } from './network.ts'
import type { Ask } from './open-loop.ts'
import type { Random } from './random.ts'

/** What people and programs ask for all day, with as much of each as a hundred requests have. */
export interface Mix {
  next(): Ask
}

const get = (kind: string, path: string): Ask => ({ kind, method: 'GET', path })

/**
 * @param sample Publications that are asked for by name; some far more often than others.
 * @param runnable Connectors among them that are simulated.
 */
export function readingMix(
  random: Random,
  sample: readonly Publication[],
  runnable: readonly Publication[],
): Mix {
  const any = () => sample[random.popular(sample.length)]!
  const hash = (text: string) => text.replace(/^0x/, '')
  const asks: readonly (readonly [share: number, ask: () => Ask])[] = [
    [40, () => readOf(any())],
    [8, () => get('account', `/chain/account/${any().owner}?limit=20`)],
    [
      6,
      () => {
        const { artifact } =
          sample.find(({ artifact: { kind } }) => kind === 'connector' && random.next() < 0.02) ??
          runnable[0]!
        return artifact.kind === 'connector'
          ? get('format', `/chain/format/${hash(artifact.formatHash)}?limit=20`)
          : get('formats', '/chain/formats?limit=20')
      },
    ],
    [4, () => get('accounts', `/chain/accounts?limit=20&after=${any().owner}`)],
    [3, () => get('formats', '/chain/formats?limit=20')],
    [12, () => get('feed', '/chain/feed?limit=20')],
    [5, () => get('feed', `/chain/feed?limit=20&type=${any().artifact.kind}_added`)],
    [4, () => get('users', `/services/users?page=${random.whole(50)}&limit=20`)],
    [6, () => get('worlds', `/services/worlds?page=${random.whole(10)}&limit=20`)],
    [3, () => get('worlds search', `/services/worlds?limit=20&q=${words(random).slice(0, 5).toLowerCase()}`)],
    [5, () => get('search', `/search/suggestions?q=${words(random).slice(0, 3 + random.whole(6))}`)],
    [4, () => simulationOf(runnable[random.popular(runnable.length)]!, 64)],
  ]
  const total = asks.reduce((sum, [share]) => sum + share, 0)
  return {
    next() {
      let at = random.whole(total)
      for (const [share, ask] of asks) {
        if (at < share) return ask()
        at -= share
      }
      return readOf(any())
    },
  }
}

export function readOf({ artifact: { kind, name } }: Publication): Ask {
  return get('entity', `/chain/${kind}/${name}`)
}

export function simulationOf({ artifact: { name } }: Publication, particles: number, start = 0): Ask {
  const body = {
    connector_name: name,
    particles_count: particles,
    ...(start > 0 && { dynamic_ri: { 0: { start_point: start, transformation_shift: 0 } } }),
  }
  return { kind: 'simulate', method: 'POST', path: '/chain/simulate', body: JSON.stringify(body) }
}

/** A draft of a new name over what another connector is made of. */
export function draftOf(
  { artifact }: Publication,
  name: string,
  headers: Readonly<Record<string, string>>,
): Ask {
  if (artifact.kind !== 'connector') throw new Error('only connectors are drafted')
  const body = definitionRequest({ ...artifact.definition, name }, (used) => used)
  return { kind: 'draft', method: 'POST', path: '/chain/connector', body: JSON.stringify(body), headers }
}
