import type { PublicClient } from 'viem'
import { z } from 'zod'
import type { Context } from '#lib/core/context/context.ts'
import { publishSample } from '#lib/core/entities/publication/publish-sample.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { connections, isLocalPage } from '#lib/server/http/connection.ts'
import { createDispatcher, type Dispatcher, type DispatcherOptions } from '#lib/server/http/dispatch.ts'
import type { ErrorFormat } from '#lib/server/http/errors.ts'
import { defineOperation } from '#lib/server/http/operation.ts'
import { fundAccount, mineBlocks, openDevChain, reorganise } from './dev-chain.ts'

/** The first publication waits for the compiler to load. */
const TIMEOUT_MS = 30_000

/**
 * Declares what a form of the feed page's development panel does. On any chain but a development chain on this machine
 * there is nothing here.
 *
 * @param run Executes the action and returns a summary.
 */
function defineForm(
  tool: string,
  summary: string,
  run: (ctx: Context, client: PublicClient, form: FormData) => Promise<string>,
) {
  return defineOperation({
    id: `POST_dev${tool}`,
    api: 'site',
    path: `/dev/chain/${tool}`,
    tag: 'dev',
    summary,
    description: 'Answers a script with JSON, and a form with the feed.',
    auth: 'none',
    cors: 'none',
    request: {
      headers: z.object({ accept: z.string().optional(), 'content-type': z.string().optional() }),
      // Forms of two fields.
      text: { maxBytes: 4096 },
    },
    responses: {
      200: { description: 'What was done', schema: z.strictObject({ message: z.string() }) },
      303: { description: 'Done', headers: { Location: 'The feed' } },
    },
    cache: 'no-store',
    handler: async (request, { headers, text }) => {
      const ctx = { ...request, signal: AbortSignal.timeout(TIMEOUT_MS) }
      const client = await openDevChain(ctx)
      if (client === undefined) throw nothingHere()
      const message = await run(ctx, client, await readForm(text, headers['content-type']))
      if (isForScript(headers.accept)) return { status: 200, body: { message } }
      return { status: 303, headers: { Location: '/feed' } }
    },
  })
}

const postFund = defineForm('fund', 'Give an account coins', async (_ctx, client, form) => {
  const account = form.get('account')
  await fundAccount(client, typeof account === 'string' ? account : '')
  return 'The account holds enough for many publications.'
})

const postMine = defineForm('mine', 'Mine empty blocks', async (_ctx, client, form) => {
  const blocks = wholeNumber(form, 'blocks')
  await mineBlocks(client, blocks)
  return `Mined ${blocks} ${blocks === 1 ? 'block' : 'blocks'}.`
})

const postSample = defineForm(
  'publish',
  'Publish a small function',
  async (ctx) => `Published ${await publishSample(ctx)}.`,
)

const postReorg = defineForm('reorganise', 'Replace the newest blocks', async (_ctx, client, form) => {
  const depth = wholeNumber(form, 'depth')
  const keepTransactions = form.get('keep') === '1'
  await reorganise(client, { depth, keepTransactions })
  const blocks = depth === 1 ? 'block' : `${depth} blocks`
  return keepTransactions
    ? `Replaced the newest ${blocks}, with the same transactions mined again.`
    : `Replaced the newest ${blocks}, without the transactions.`
})

/** The development panel. Requests of any but our own pages on this machine are answered as if it did not exist. */
export function createDevPanelDispatcher(options: Pick<DispatcherOptions, 'services'>): Dispatcher {
  return createDispatcher([postFund, postMine, postSample, postReorg], {
    ...options,
    base: '',
    errors: panelErrors,
    admit: ({ headers }, { config }) => {
      if (!isLocalPage(config.siteOrigin, headers.get('origin'), connections().getStore()))
        throw nothingHere()
    },
    authenticate: () => Promise.reject(new Error('The panel is of no account')),
  })
}

/** JSON for a script, a page with the error for a plain form; nothing of what is not here. */
const panelErrors: ErrorFormat = ({ message }, _, request) => {
  if (message === '') return undefined
  return isForScript(request.headers.get('accept'))
    ? { contentType: 'application/json', text: JSON.stringify({ message }) }
    : { contentType: 'text/plain; charset=utf-8', text: `${message}\n` }
}

function isForScript(accept: string | null | undefined): boolean {
  return accept?.includes('application/json') === true
}

function nothingHere(): Failure {
  return new Failure('not_found', '')
}

async function readForm(text: string, type = ''): Promise<FormData> {
  try {
    return await new Response(text, { headers: { 'Content-Type': type } }).formData()
  } catch (cause) {
    throw new Failure('invalid_request', 'The request must carry a form', {}, { cause })
  }
}

/** A whole number; NaN for what is none. */
function wholeNumber(form: FormData, name: string): number {
  const value = form.get(name)
  return typeof value === 'string' && /^\d{1,9}$/.test(value.trim()) ? Number(value) : Number.NaN
}
