import { z } from 'zod'
import { findAuthorWords } from '#lib/core/entities/author-words.ts'
import { simulate, simulateJson } from '#lib/core/entities/simulate.ts'
import { usedFilter } from '#lib/core/feed/filter.ts'
import { deltaWire, readOutbox } from '#lib/core/feed/outbox-reader.ts'
import { arrange, MAX_PATHS } from '#lib/engine/sound/arrangement.ts'
import { writeMidi } from '#lib/engine/sound/midi-file.ts'
import { soundOf } from '#lib/engine/sound/presented-sound.ts'
import { SCALES } from '#lib/engine/sound/settings.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { STEPS_PER_BEAT, TEMPO } from '#lib/protocol/sound-limits.ts'
import { defineOperation, type Operation } from '../http/operation.ts'
import { executeRequest, feedFilterQuery } from '../operations/chain/request-schemas.ts'
import { particlesResult } from '../operations/chain/response-schemas.ts'
import { MAX_RUN_BYTES, postSimulate, SIMULATE_FOR_AGENTS } from '../operations/chain/run.ts'
import { getWorld, getWorlds } from '../operations/services/worlds.ts'
import {
  planRequest,
  postPublicationPlan,
  postPublicationPreparation,
} from '../operations/studio/publication.ts'
import { DOCUMENT, forAgents, ofStored } from './agent-operation.ts'

/* Operations for agents that are none of the chain API: results that hosts show, and what the site's pages can do. */

const MAX_RUNS = 4
/** Streams of each run that is compared; a view draws fewer. */
const MAX_STREAMS = 64

const compareRuns = defineOperation({
  id: 'POST_compareRuns',
  api: 'chain',
  path: '/compare-runs',
  tag: 'runner',
  summary: 'Compare runs',
  description: 'Simulates two to four runs and shows their values above each other, and how many differ.',
  tool: { name: 'compare_runs', effect: 'reads', shows: true },
  auth: 'none',
  limit: 'run',
  request: {
    body: z.strictObject({
      runs: z.array(executeRequest).min(2).max(MAX_RUNS).describe('Two to four runs.'),
    }),
  },
  responses: {
    200: {
      description: 'The runs in the same order',
      schema: z.strictObject({
        runs: z.array(z.strictObject({ connector_name: z.string(), particles: particlesResult })),
      }),
    },
  },
  failures: { 400: 'Invalid request, or a run was rejected', 404: 'Connector not found' },
  handler: async (ctx, { body }) => {
    const runs = []
    // One after another: a comparison takes no more of the server at a time than a run.
    for (const { connector_name, particles_count, dynamic_ri } of body.runs) {
      const input = { connectorName: connector_name, particlesCount: particles_count, dynamicRi: dynamic_ri }
      const { particles } = await simulate(ctx, input, MAX_STREAMS)
      runs.push({ connector_name, particles: particles.map(({ path, data }) => ({ path, data: [...data] })) })
    }
    return { body: { runs } }
  },
})

/** Deltas of one replay. */
const MAX_DELTAS = 200

const replayFeed = defineOperation({
  id: 'POST_replayFeed',
  api: 'chain',
  path: '/replay-feed',
  tag: 'feed',
  summary: 'Replay the feed',
  description:
    'Every change of the feed after a number, oldest first: what was published, became final or was taken back by the ' +
    'chain. Continue with `next_since_seq` while `has_more` is true; later calls with it return only what is new.',
  tool: { name: 'replay_feed', effect: 'reads' },
  auth: 'none',
  limit: 'search',
  request: {
    body: z.strictObject({
      since_seq: z
        .int()
        .min(0)
        .max(Number.MAX_SAFE_INTEGER)
        .default(0)
        .describe('The last number that was handled; 0 for the beginning.'),
      limit: z.int().min(1).max(MAX_DELTAS).default(50).describe('Changes of one answer, at most.'),
      ...feedFilterQuery,
    }),
  },
  responses: {
    200: {
      description: 'The changes, oldest first',
      schema: z.strictObject({
        deltas: z.array(z.looseObject({ stream_seq: z.int(), event_type: z.string(), status: z.string() })),
        next_since_seq: z.int(),
        has_more: z.boolean(),
        min_available_seq: z.int().describe('Older changes are no longer stored.'),
      }),
    },
  },
  failures: { 400: 'Invalid request' },
  handler: async ({ db }, { body: { since_seq, limit, ...filter } }) => {
    const { deltas, readTo, newest, floor } = await readOutbox(db.sql, since_seq, limit, usedFilter(filter))
    return {
      body: {
        deltas: deltas.map(deltaWire),
        next_since_seq: Math.max(since_seq, readTo),
        has_more: readTo < newest,
        min_available_seq: floor,
      },
    }
  },
})

/** In all tracks of one file. Each takes about eight bytes, which agents read as base64. */
const MAX_STEPS = 16_384

const exportMidi = defineOperation({
  id: 'POST_exportMidi',
  api: 'chain',
  path: '/export-midi',
  tag: 'runner',
  summary: 'Export a run as MIDI',
  description:
    `Simulates a run and returns it as a Standard MIDI File: a track for each of the first ${MAX_PATHS} paths, a note or ` +
    `a rest a step, ${MAX_STEPS} steps in all tracks at most. What is not chosen is as the author of a piece has it, ` +
    'else guessed from the values, as the studio does: a path whose values are all MIDI notes from 21 to 108 is played as written; constant paths are silent.',
  tool: { name: 'export_midi', effect: 'reads', advice: 'The file is an embedded resource, in base64.' },
  auth: 'none',
  limit: 'run',
  request: {
    body: executeRequest.safeExtend({
      bpm: z.int().min(TEMPO.min).max(TEMPO.max).optional().describe('Beats a minute.'),
      steps_per_beat: z.literal(STEPS_PER_BEAT).optional().describe('4 by default: sixteenths.'),
      scale: z.enum(SCALES).optional().describe('Scale that notes are drawn to.'),
      root: z.int().min(0).max(11).optional().describe('Half tones of the root above C.'),
    }),
  },
  responses: {
    200: {
      description: 'The file',
      contentType: 'audio/midi',
      headers: { 'Content-Disposition': 'The name of the file' },
    },
  },
  failures: {
    400: 'Invalid request, the run was rejected, or its file would be too long',
    404: 'Connector not found',
  },
  handler: async (ctx, { body }) => {
    const { connector_name, particles_count, dynamic_ri, bpm, steps_per_beat, scale, root } = body
    const input = { connectorName: connector_name, particlesCount: particles_count, dynamicRi: dynamic_ri }
    const { particles } = await simulate(ctx, input, MAX_PATHS)
    const steps = particles.reduce((sum, { data }) => sum + data.length, 0)
    if (steps > MAX_STEPS) {
      throw new Failure(
        'rejected',
        `The file would have ${steps} steps, and holds at most ${MAX_STEPS}: ask for fewer particles`,
      )
    }
    const streams = particles.map(({ path, data }) => ({ path, data: [...data] }))
    const { present } = (await findAuthorWords(ctx, 'connector', connector_name)) ?? {}
    const sound = {
      ...(present && soundOf(present)),
      ...(bpm !== undefined && { bpm }),
      ...(steps_per_beat !== undefined && { stepsPerBeat: steps_per_beat }),
      ...(scale !== undefined && { scale }),
      ...(root !== undefined && { root }),
    }
    const file = writeMidi(arrange(streams, sound))
    return {
      body: file,
      headers: { 'Content-Disposition': `attachment; filename="${connector_name}.mid"` },
    }
  },
})

const showRun = defineOperation({
  id: 'POST_showRun',
  api: 'chain',
  path: '/show-run',
  tag: 'core',
  summary: 'Show a run',
  description: `${SIMULATE_FOR_AGENTS} With it come the title of a piece, and how its author wants it heard and seen.`,
  tool: {
    name: 'show_run',
    effect: 'reads',
    shows: true,
    advice:
      'Use it when your user should see the numbers as pictures, and `simulate` when only you need them.',
  },
  auth: 'none',
  limit: 'run',
  request: { body: executeRequest, maxBodyBytes: MAX_RUN_BYTES },
  responses: {
    200: {
      description: 'One item for each path, and the words of the piece',
      schema: z.strictObject({
        title: z.string().optional(),
        present: z.looseObject({}).optional().describe('As in the resource `authors-words`.'),
        result: particlesResult,
      }),
    },
  },
  failures: postSimulate.failures ?? {},
  handler: async (ctx, { body: { connector_name, particles_count, dynamic_ri } }) => {
    const input = { connectorName: connector_name, particlesCount: particles_count, dynamicRi: dynamic_ri }
    const particles = await simulateJson(ctx, input)
    const { title, present } = (await findAuthorWords(ctx, 'connector', connector_name)) ?? {}
    const words = JSON.stringify({ title, present }).slice(1)
    const json = Buffer.concat([
      Buffer.from('{"result":'),
      particles,
      Buffer.from(words === '}' ? words : `,${words}`),
    ])
    return { json }
  },
})

export const shownOperations: readonly Operation[] = [
  showRun,
  compareRuns,
  replayFeed,
  exportMidi,
  {
    ...ofStored(postPublicationPlan, planRequest.omit(DOCUMENT), {
      name: 'publish_plan',
      effect: 'reads',
      shows: true,
      advice:
        'Show it before `prepare_publication`, so that your user sees what would be published for ever.',
    }),
    summary: 'Show a publication plan',
    description:
      'What would be published for a draft, in order, with what is published already and the cost. Nothing is sent.',
  },
  {
    ...forAgents(postPublicationPreparation.studio, {
      name: 'prepare_piece',
      effect: 'drafts',
      advice: 'Go on with `send_publication`. The resource `authors-words` has the format.',
    }),
    tag: 'publish',
    auth: 'chain',
    errors: 'publication',
  },
  forAgents(getWorlds, { name: 'list_worlds', effect: 'reads' }),
  { ...forAgents(getWorld, { name: 'show_world', effect: 'reads', shows: true }), summary: 'Show a World' },
]
