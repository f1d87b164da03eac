import { z } from 'zod'
import { arrange, MAX_PATHS } from '../../engine/sound/arrangement.ts'
import { writeMidi } from '../../engine/sound/midi-file.ts'
import { SCALES, STEPS_PER_BEAT, TEMPO } from '../../engine/sound/settings.ts'
import { simulate } from '../../entities/simulate.ts'
import { Failure } from '../../protocol/failure.ts'
import { defineOperation } from '../http/operation.ts'
import { executeRequest } from '../operations/chain/request-schemas.ts'

/** In all tracks of one file. Each takes about eight bytes, which agents read as base64. */
const MAX_STEPS = 16_384

export const exportMidi = defineOperation({
  id: 'POST_exportMidi',
  api: 'chain',
  path: '/export-midi',
  tag: 'runner',
  summary: 'Export a run as MIDI',
  description:
    `Simulates a run and returns it as a Standard MIDI File: a track for each of the first ${MAX_PATHS} paths, a note or ` +
    `a rest a step, ${MAX_STEPS} steps in all tracks at most. What is not chosen is guessed from the values, as the ` +
    'studio does: a path whose values are all MIDI notes from 21 to 108 is played as written; constant paths are silent.',
  tool: { name: 'export_midi', effect: 'reads', advice: 'The file is an embedded resource, in base64.' },
  auth: 'none',
  limit: 'run',
  request: {
    body: executeRequest.safeExtend({
      bpm: z.int().min(TEMPO.min).max(TEMPO.max).optional().describe('Beats a minute.'),
      steps_per_beat: z.literal(STEPS_PER_BEAT).optional().describe('4 by default: sixteenths.'),
      scale: z.enum(SCALES).optional(),
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
    const file = writeMidi(arrange(streams, { bpm, stepsPerBeat: steps_per_beat, scale, root }))
    return {
      body: file,
      headers: { 'Content-Disposition': `attachment; filename="${connector_name}.mid"` },
    }
  },
})
