import { z } from 'zod'
import { runHref } from '#lib/protocol/run-link.ts'
import { defineOperation } from '#lib/server/http/operation.ts'
import { executeRequest } from '#lib/server/operations/chain/request-schemas.ts'
import { certifyRun } from './certify-run.ts'
import { checkFile } from './checker/check.ts'

/** The check runs beside everything else that this process answers. */
const CHECK_LIMITS = { steps: 5_000_000, milliseconds: 500 }

export const verifyRun = defineOperation({
  id: 'POST_verifyRun',
  api: 'chain',
  path: '/verify-run',
  tag: 'runner',
  summary: 'Verify a run',
  description:
    'Checks a run of published code: that this code is in the state of a block, and that it gives these values. Says in ' +
    'one sentence what was found and what this server cannot vouch for, and where the certificate is that proves it to ' +
    'anyone who trusts a block or a node.',
  tool: { name: 'verify_run', effect: 'reads' },
  auth: 'none',
  limit: 'run',
  request: { body: executeRequest },
  responses: {
    200: {
      description: 'What was found',
      schema: z.strictObject({
        verdict: z.enum(['proven', 'consistent', 'refuted', 'undecided']),
        sentence: z.string(),
        certificate_url: z.string(),
      }),
    },
  },
  failures: {
    400: 'Invalid request, or a run that has no certificate here',
    404: 'No published connector has this name',
  },
  handler: async (ctx, { body }) => {
    const { connector_name: connector, particles_count: count, dynamic_ri: dynamicRi } = body
    const text = await certifyRun(ctx, { connector, count, dynamicRi })
    const { verdict, sentence } = await checkFile(text, {}, CHECK_LIMITS)
    const file = runHref({ connector, count, dynamicRi }, '/certificate')
    return { body: { verdict, sentence, certificate_url: `${ctx.config.siteOrigin}${file}` } }
  },
})
