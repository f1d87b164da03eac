import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { readMidi } from '../../support/read-midi.ts'
import type { Player } from '../player.ts'
import type { Steps } from './step.ts'

interface Replay {
  readonly deltas: readonly {
    readonly stream_seq: number
    readonly event_type: string
    readonly payload: { readonly name: string; readonly owner: string }
  }[]
  readonly next_since_seq: number
  readonly has_more: boolean
}
interface World {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly acceptedConnectorSets: readonly { readonly connectors: readonly string[] }[]
}

/** Names of what is added, each once, in the order of the feed. */
function added({ deltas }: Pick<Replay, 'deltas'>): string[] {
  return [
    ...new Set(
      deltas.filter(({ event_type: type }) => type.endsWith('_added')).map(({ payload }) => payload.name),
    ),
  ]
}

async function midiOf(me: Player, args: Record<string, unknown>) {
  const result = await me.agent.client.callTool({ name: 'export_midi', arguments: args })
  ok(result.isError !== true, JSON.stringify(result.content))
  const file = result.content.find(({ type }) => type === 'resource')
  ok(file?.type === 'resource' && 'blob' in file.resource)
  equal(file.resource.mimeType, 'audio/midi')
  return readMidi(Buffer.from(file.resource.blob, 'base64'))
}

export const following: Steps = {
  'who-published-and-what-else': async ({ me, network: { names, published } }) => {
    const { owner } = await me.value<{ owner: string }>('read_connector', { name: names.melody })
    const replayed: Replay['deltas'][number][] = []
    for (let since = 0, more = true; more; ) {
      const page: Replay = await me.value<Replay>('replay_feed', { owner, since_seq: since, limit: 4 })
      replayed.push(...page.deltas)
      more = page.has_more
      since = page.next_since_seq
    }
    deepEqual(
      added({ deltas: replayed }),
      published.filter((each) => each.owner === owner).map(({ name }) => name),
    )
  },
  'what-is-new-since': async ({ me, fresh }) => {
    let since = 0
    const seen = new Set<string>()
    for (let more = true; more; ) {
      const page: Replay = await me.value<Replay>('replay_feed', { since_seq: since, limit: 200 })
      for (const name of added(page)) seen.add(name)
      since = page.next_since_seq
      more = page.has_more
    }
    const name = fresh('news')
    await me.draft('transformation', name, 'return x + 13;')
    await me.publish('transformation', name)
    // Later changes also tell what became final.
    const later = added(await me.value<Replay>('replay_feed', { since_seq: since, limit: 200 }))
    deepEqual(
      later.filter((each) => !seen.has(each)),
      [name],
    )
  },
  'only-conditions': async ({ me, network: { published } }) => {
    const page = await me.value<Replay>('replay_feed', { kind: 'condition', limit: 200 })
    deepEqual(
      added(page),
      published.filter(({ kind }) => kind === 'condition').map(({ name }) => name),
    )
  },
  'show-a-world': async ({ me, network: { world } }) => {
    const worlds = await me.value<World[]>('list_worlds', { q: world.name })
    equal(worlds[0]?.slug, world.slug)
    const shown = await me.value<World>('show_world', { id: worlds[0]?.id })
    deepEqual([shown.id, shown.name], [world.id, world.name])
  },
  'midi-of-a-melody': async ({ me, network: { names } }) => {
    const { tracks } = await midiOf(me, { connector_name: names.melody, particles_count: 8 })
    const [values] = await me.simulate(names.melody, 8)
    deepEqual(
      tracks.map(({ name }) => name),
      [`/${names.melody}:0`],
    )
    // As written where the values are notes; else steps of a scale, which rise as the values do.
    const notes = tracks[0]?.notes.map(({ note }) => note)
    deepEqual(notes, values)
  },
  'midi-at-a-tempo': async ({ me, random, network: { names } }) => {
    const bpm = random.between(60, 180)
    const run = { connector_name: names.pair, particles_count: 16 }
    const { tempo, tracks, ticksPerQuarter } = await midiOf(me, { ...run, bpm, steps_per_beat: 2 })
    equal(tempo, Math.round(60e6 / bpm))
    equal(tracks.length, 2)
    equal(tracks[0]?.notes[1]?.at, ticksPerQuarter / 2)
  },
  'midi-that-is-too-long': async ({ me, network: { names } }) => {
    const run = { connector_name: names.line, particles_count: 20_000 }
    const { status, message } = await me.refusal('export_midi', run)
    equal(status, 400)
    const most = Number(/at most (\d+)/.exec(message)?.[1])
    match(message, /fewer particles/)
    const { tracks } = await midiOf(me, { ...run, particles_count: Math.min(most, 2_000) })
    equal(tracks[0]?.notes.length, 2_000)
  },
}
