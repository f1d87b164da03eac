import type { Random } from '../../simulation/random.ts'
import { makeBundle } from '../../worlds/support/bundle.ts'
import { type Client, describe, isUnsure } from '../client.ts'
import type { Report } from '../report.ts'
import type { Actor } from './actor.ts'
import { Uncertain } from './uncertain.ts'

const MOST_WORLDS = 12

type Files = ReadonlyMap<string, Uint8Array>

interface Bundle {
  readonly version: string
  readonly files: Files
}

interface World {
  readonly slug: string
  /** Undefined until somebody said it. */
  id: string | undefined
  readonly bundle: Uncertain<Bundle | 'absent'>
}

/**
 * Publishes, replaces and deletes Worlds: each is there as a whole, in the state that was acknowledged last, or in one
 * of those that a lost answer left open.
 */
export function worldsActor(
  name: string,
  client: Client,
  token: string,
  random: Random,
  report: Report,
): Actor {
  const worlds: World[] = []
  let next = 0

  const newState = (): Bundle => {
    next += 1
    const files = new Map<string, Uint8Array>()
    for (let i = random.between(1, 4); i > 0; i--) files.set(`part-${i}.bin`, noise(random))
    return { version: `0.0.${next}`, files }
  }
  const formOf = (slug: string, { version, files }: Bundle): FormData => {
    const parts = [...files].map(([path, content]) => ({ name: path, content, stored: true }))
    const form = new FormData()
    const bundle = makeBundle({ slug, version }, parts)
    form.set('bundle', new Blob([bundle], { type: 'application/zip' }), 'bundle.zip')
    return form
  }

  const publish = async (): Promise<void> => {
    const state = newState()
    const world: World = {
      slug: `${name}-${next}`,
      id: undefined,
      bundle: new Uncertain<Bundle | 'absent'>('absent'),
    }
    worlds.push(world)
    const answer = await client.ask('POST', '/services/worlds/upload', {
      token: token,
      form: formOf(world.slug, state),
    })
    if (answer.status === 200) {
      world.id = (answer.json as { id: string }).id
      world.bundle.acknowledge(state)
      report.count('uploads accepted')
      return check(world, false)
    }
    if (isUnsure(answer)) world.bundle.leaveOpen(state)
    else if (answer.status !== 429) report.violation(`upload: ${describe(answer)}`)
  }
  const replace = async (world: World): Promise<void> => {
    const state = newState()
    const answer = await client.ask('PATCH', `/services/worlds/${world.id}`, {
      token: token,
      form: formOf(world.slug, state),
    })
    if (answer.status === 200) {
      world.bundle.acknowledge(state)
      report.count('uploads accepted')
    } else if (isUnsure(answer)) world.bundle.leaveOpen(state)
    else if (answer.status !== 429) report.violation(`replace: ${describe(answer)}`)
  }
  const remove = async (world: World): Promise<void> => {
    const answer = await client.ask('DELETE', `/services/worlds/${world.id}`, { token: token })
    if (answer.status === 204) world.bundle.acknowledge('absent')
    else if (isUnsure(answer)) world.bundle.leaveOpen('absent')
    else if (answer.status !== 429) report.violation(`delete: ${describe(answer)}`)
  }

  /** Finds the bundle that a World has; at rest, every file is compared with it. */
  const check = async (world: World, atRest: boolean): Promise<void> => {
    const found = await lookUp(world)
    if (found === undefined) {
      if (atRest) report.violation(`World ${world.slug} cannot be looked up`)
      return
    }
    const possible = world.bundle.all()
    const bundle = possible.find((each) => versionOf(each) === found)
    if (bundle === undefined) {
      report.violation(`World ${world.slug} is ${found}, not ${possible.map(versionOf).join(' or ')}`)
      return
    }
    if (atRest) world.bundle.settle(bundle)
    // What is open may happen between two requests.
    else if (possible.length > 1) return
    if (bundle === 'absent') {
      if (world.id !== undefined) await expectAbsent(world, 'part-1.bin')
      return
    }
    for (const [path, content] of bundle.files) await expectFile(world, path, content, atRest)
  }
  /** @returns the version of the bundle; undefined when nobody says. */
  const lookUp = async (world: World): Promise<string | undefined> => {
    if (world.id === undefined) {
      const list = await client.ask('GET', `/services/worlds?q=${world.slug}&limit=100`)
      if (list.status !== 200) return undefined
      const entry = (list.json as { id: string; slug: string; version: string }[]).find(
        ({ slug }) => slug === world.slug,
      )
      world.id = entry?.id
      return entry?.version ?? 'absent'
    }
    const answer = await client.ask('GET', `/services/worlds/${world.id}`)
    if (answer.status === 404) return 'absent'
    return answer.status === 200 ? (answer.json as { version: string }).version : undefined
  }
  const expectFile = async (
    world: World,
    path: string,
    content: Uint8Array,
    atRest: boolean,
  ): Promise<void> => {
    const answer = await client.ask('GET', `/services/world-assets/${world.id}/${path}`)
    if (isUnsure(answer) && !atRest) return
    if (answer.status !== 200) report.violation(`${world.slug}/${path}: ${describe(answer)}`)
    else if (!Buffer.from(content).equals(answer.bytes)) {
      report.violation(`${world.slug}/${path}: ${answer.bytes.byteLength} other bytes than uploaded`)
    }
  }
  const expectAbsent = async (world: World, path: string): Promise<void> => {
    const answer = await client.ask('GET', `/services/world-assets/${world.id}/${path}`)
    if (answer.status !== 404 && !isUnsure(answer)) {
      report.violation(`${world.slug} is absent, and its ${path} is served: ${answer.status}`)
    }
  }

  return {
    name,
    async act() {
      const known = worlds.filter(({ bundle, id }) => id !== undefined && !bundle.allows('absent'))
      const world = known.length > 0 ? random.pick(known) : undefined
      if (world === undefined || (known.length < MOST_WORLDS && random.chance(0.4))) return publish()
      if (random.chance(0.4)) return check(world, false)
      return random.chance(0.7) ? replace(world) : remove(world)
    },
    async settle(all) {
      for (const world of worlds.filter(({ bundle }) => all || bundle.touched)) await check(world, true)
    },
  }
}

function versionOf(bundle: Bundle | 'absent'): string {
  return bundle === 'absent' ? bundle : bundle.version
}

/** Bytes that no compression makes smaller, up to a hundred kilobytes. */
function noise(random: Random): Uint8Array {
  const bytes = new Uint8Array(random.between(1, 100_000))
  for (let i = 0; i < bytes.length; i++) bytes[i] = random.between(0, 255)
  return bytes
}
