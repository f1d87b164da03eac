import { DRAWN, type Figure, type PictureScene, type PictureSize } from '#lib/compute/pictures/scene.ts'
import type { Context } from '#lib/core/context/context.ts'
import { findAuthorWords } from '#lib/core/entities/author-words.ts'
import { type BodyExamples, bodyExamples } from '#lib/core/entities/body-examples.ts'
import { findEntityPublication } from '#lib/core/entities/find-publication.ts'
import { getEntity } from '#lib/core/entities/get-entity.ts'
import { listFeedItems } from '#lib/core/feed/list-items.ts'
import { namesOf } from '#lib/core/people/users.ts'
import { getWorldBySlug } from '#lib/core/worlds/get-world.ts'
import { NO_NOTE, onsetsOf } from '#lib/engine/sound/notes.ts'
import { rolesOf } from '#lib/engine/sound/roles.ts'
import { findStill, stillHref } from '#lib/features/pieces/index.ts'
import { parseAddress } from '#lib/protocol/address.ts'
import type { Address, EntityKind } from '#lib/protocol/entity.ts'
import { kindWord } from '#lib/protocol/kind-name.ts'
import { isEntityName } from '#lib/protocol/names.ts'
import type { RunLink } from '#lib/protocol/run-link.ts'
import { PICTURED_PARTICLES } from './entity.ts'
import { undefinedOn } from './expected-failures.ts'
import type { StoredPicture } from './picture-read.ts'
import type { Run } from './run.ts'
import { runForPage } from './run-connector.ts'
import type { RunForPage } from './run-page.ts'
import { feedsFor, framedWorld } from './world.ts'

/** Kinds that have a picture under `/pictures/{kind}/{name}.png`. */
export const PICTURE_KINDS = ['connector', 'transformation', 'condition', 'world', 'user', 'site'] as const
export type PictureKind = (typeof PICTURE_KINDS)[number]

/** The name of the one picture of the site itself. */
const SITE = 'weft'

/**
 * What the picture of a page shows, or where it is stored; undefined for an unknown name.
 *
 * @throws What the database throws when it cannot be read, Failure('overloaded').
 */
export async function pictureOf(
  ctx: Context,
  kind: PictureKind,
  name: string,
  size: PictureSize,
): Promise<PictureScene | StoredPicture | undefined> {
  if (kind === 'world' && size === 'tile') {
    const world = await getWorldBySlug(ctx, name).catch(undefinedOn('not_found', 'artifacts_unavailable'))
    const stored = world && framedWorld(ctx, world).previewUrl
    if (stored !== undefined) return { storedAt: stored }
  }
  if (kind === 'connector' && isEntityName(name)) {
    const still = await findStill(ctx, name)
    if (still !== undefined) return { storedAt: stillHref(still, size) }
  }
  return pictureScene(ctx, kind, name, size)
}

/** Scene of a picture; undefined for an unknown name. @throws As `pictureOf`. */
export async function pictureScene(
  ctx: Context,
  kind: PictureKind,
  name: string,
  size: PictureSize,
): Promise<PictureScene | undefined> {
  const subject = await subjectOf(ctx, kind, name, size)
  if (subject === undefined) return undefined
  // A tile carries no words: renaming its author draws nothing anew.
  const words = size === 'card' ? subject : { title: '', caption: '' }
  return { size, title: words.title, caption: words.caption, seed: `${kind} ${name}`, figure: subject.figure }
}

/** The picture of a run, from its result. */
export function runScene(
  { connector, count, block, dynamicRi }: RunLink,
  { run }: RunForPage,
  size: PictureSize,
): PictureScene {
  const facts = [
    countOf(count, 'step'),
    ...(run.state === 'particles' ? [countOf(run.paths, 'voice')] : [stateOf(run.state)]),
    ...(dynamicRi.length > 0 ? [`${countOf(dynamicRi.length, 'start')} set`] : []),
    ...(block ? [`block ${block.number}`] : []),
  ]
  const words =
    size === 'card' ? { title: connector, caption: facts.join(' · ') } : { title: '', caption: '' }
  const streams = run.state === 'particles' ? run.streams : undefined
  return {
    size,
    ...words,
    seed: `connector ${connector}`,
    figure: threadsOf(streams && scoreOf(streams)),
  }
}

type Subject = Pick<PictureScene, 'title' | 'caption' | 'figure'>

async function subjectOf(
  ctx: Context,
  kind: PictureKind,
  name: string,
  size: PictureSize,
): Promise<Subject | undefined> {
  switch (kind) {
    case 'connector':
    case 'transformation':
    case 'condition':
      return isEntityName(name) ? entitySubject(ctx, kind, name, size) : undefined
    case 'world':
      return worldSubject(ctx, name)
    case 'user':
      return userSubject(ctx, name)
    case 'site':
      return name === SITE ? SITE_SUBJECT : undefined
  }
}

async function entitySubject(
  ctx: Context,
  kind: EntityKind,
  name: string,
  size: PictureSize,
): Promise<Subject | undefined> {
  const [entity, publication] = await Promise.all([
    getEntity(ctx, kind, name).catch(undefinedOn('not_found', 'execution_failed', 'artifacts_unavailable')),
    findEntityPublication(ctx, kind, name),
  ])
  const owner = entity?.owner ?? publication?.owner
  if (owner === undefined) return undefined
  const author = `by ${await authorOf(ctx, owner)}`
  if (kind !== 'connector') {
    const examples = entity && (await bodyExamples(ctx, kind, name))
    return { title: name, caption: `${kindWord(kind)} · ${author}`, figure: figureOf(examples) }
  }
  const run = await runForPage(ctx, name, PICTURED_PARTICLES, publication?.contentHash)
  const facts = run.state === 'particles' ? countOf(run.paths, 'voice') : stateOf(run.state)
  const title = size === 'card' ? (await findAuthorWords(ctx, kind, name))?.title : undefined
  // The face of pictures has the letters of western Europe.
  const isSet = title !== undefined && /^[ -~\u00a0-\u00ff]+$/.test(title)
  return {
    title: isSet ? title : name,
    caption: `${isSet ? name : kindWord(kind)} · ${facts} · ${author}`,
    figure: figureOfRun(run),
  }
}

async function worldSubject(ctx: Context, slug: string): Promise<Subject | undefined> {
  const world = await getWorldBySlug(ctx, slug).catch(undefinedOn('not_found', 'artifacts_unavailable'))
  if (world === undefined) return undefined
  const { fed } = await feedsFor(ctx, world, {
    connector: undefined,
    count: undefined,
    dynamicRi: [],
    slots: [],
  })
  const source = fed === undefined ? '' : ` · plays ${fed.connector}`
  return {
    title: world.manifest.name,
    caption: `World · by ${await authorOf(ctx, world.owner)}${source}`,
    figure: fed === undefined ? { kind: 'bare' } : figureOfRun(fed.run),
  }
}

async function userSubject(ctx: Context, text: string): Promise<Subject | undefined> {
  const address = parseAddress(text)
  if (address === undefined) return undefined
  const { items } = await listFeedItems(ctx, {
    limit: DRAWN.streams,
    owner: address,
    type: 'connector_added',
  })
  const runs = await Promise.all(
    items.map(async ({ name }) => {
      const publication = await findEntityPublication(ctx, 'connector', name)
      return runForPage(ctx, name, PICTURED_PARTICLES, publication?.contentHash)
    }),
  )
  const first = runs.flatMap((run) => (run.state === 'particles' ? [run.streams[0]?.data ?? []] : []))
  const newest = items.map(({ name }) => name).join(', ')
  return {
    title: await authorOf(ctx, address),
    caption: newest === '' ? 'on Weft' : newest,
    figure: threadsOf(first),
  }
}

/** Numbers of our own: no account decides what the first page looks like where it is shared. */
const SITE_SUBJECT: Subject = {
  title: 'Weft',
  caption: 'compose with tiny programs',
  figure: threadsOf([
    steps((step) => 60 + ((step * 5) % 24)),
    steps((step) => (step * step) % 17),
    steps((step) => Math.round(40 + 30 * Math.sin(step / 4))),
  ]),
}

function steps(value: (step: number) => number): number[] {
  return Array.from({ length: DRAWN.steps }, (_, step) => value(step))
}

function figureOfRun(run: Run): Figure {
  return run.state === 'particles' ? threadsOf(scoreOf(run.streams)) : { kind: 'bare' }
}

/**
 * Streams as a score shows them: pitches at their times, each until the next, and times as the steps at which something
 * begins. All others are as they are.
 */
export function scoreOf(
  streams: readonly { readonly path: string; readonly data: readonly number[] }[],
): readonly (readonly number[])[] {
  const roles = rolesOf(streams.map((stream) => ({ ...stream, isVoiced: false })))
  return streams.map(({ data }, index) => {
    const { role, shape } = roles[index] ?? {}
    const onsets = onsetsOf((role === 'time' ? data : shape?.time) ?? [], data.length)
    if (onsets === undefined) return data
    if (role === 'time') return Array.from(onsets.indices, (note) => (note === NO_NOTE ? 0 : 1))
    let value = data[0] ?? 0
    return Array.from(onsets.indices, (note) => {
      value = data[note] ?? value
      return value
    })
  })
}

/** The examples of a body as a picture. */
function figureOf(examples: BodyExamples | undefined): Figure {
  if (examples === undefined) return { kind: 'bare' }
  if (examples.kind === 'condition') return { kind: 'answers', rows: examples.rows }
  return threadsOf(examples.lines.map(({ values }) => values).filter(({ length }) => length > 0))
}

function threadsOf(streams: readonly (readonly number[])[] | undefined): Figure {
  if (streams === undefined || streams.length === 0) return { kind: 'bare' }
  return {
    kind: 'threads',
    streams: streams.slice(0, DRAWN.streams).map((data) => data.slice(0, DRAWN.steps)),
  }
}

async function authorOf(ctx: Context, address: Address): Promise<string> {
  return (await namesOf(ctx, [address])).get(address) ?? `${address.slice(0, 8)}…${address.slice(-4)}`
}

function countOf(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`
}

function stateOf(state: string): string {
  return state === 'rejected' ? 'stops: no numbers' : 'no numbers to show'
}
