import { formatInteger } from '#lib/browser/format.ts'
import type { Answer } from './conversation/assistant.ts'
import type { Endpoint } from './conversation/endpoint.ts'
import type { EndpointProblem } from './conversation/protocol/endpoint-error.ts'

/** Label of each tool's call. */
const CALLS: ReadonlyMap<string, string> = new Map([
  ['read_document', 'Read your work'],
  ['result', 'Listened to it'],
  ['phrase_book', 'Looked into the phrase book'],
  ['search_published', 'Searched what is published'],
  ['read_published', 'Read something published'],
  ['write_connector', 'Wrote a piece'],
  ['edit_connector', 'Changed a piece'],
  ['write_code', 'Wrote a body'],
  ['rename', 'Renamed an entry'],
  ['use_template', 'Added a template'],
  ['show', 'Opened an entry'],
  ['play', 'Used the transport'],
  ['remove', 'Asked to remove an entry'],
  ['disconnect', 'Asked to take a piece out'],
  ['publish', 'Asked to publish'],
])

export function callText(name: string): string {
  return CALLS.get(name) ?? 'Tried something that the studio does not have'
}

/** Problem of an answer and what to do, in sentences. */
export function failureText({ failure }: Answer, endpoint: Endpoint | undefined): string {
  if (failure === undefined) return ''
  const { problem, detail } = failure
  const message = detail === '' ? '' : ` Its message: ${detail}`
  const address = URL.parse(endpoint?.url ?? '')
  const isOwn = address?.hostname === 'localhost' || address?.hostname === '127.0.0.1'
  const sentences: Readonly<Record<EndpointProblem, string>> = {
    key: `The endpoint does not accept this key. Check it in the settings above.${message}`,
    credit: `The account of this key has no credit left, or has reached its limit. Add credit at the provider, then retry.${message}`,
    forbidden: `The endpoint does not allow this.${isOwn ? ' A model on your machine has to accept pages of this site: for Ollama, set OLLAMA_ORIGINS to this site’s address.' : ''}${message}`,
    browser: `The organisation of this key does not allow requests from browsers. Its administrator can change that.${message}`,
    model: `The endpoint has no model called “${endpoint?.model ?? ''}”, or not for this key.${message}`,
    rate: `Too many requests for this key at the moment. Wait a little, then retry.${message}`,
    busy: `The endpoint is busy or has failed. Retry in a moment.${message}`,
    too_long: `This conversation or document is too long for the model. Begin a new conversation.${message}`,
    blocked: `This site does not let its pages connect to ${detail || 'that address'}. Choose another endpoint in the settings above.`,
    no_answer: navigator.onLine
      ? `${detail} gives no answer. ${isOwn ? 'Is the program running, and does it accept pages of this site? For Ollama, set OLLAMA_ORIGINS to this site’s address.' : 'The network may be down, or the endpoint takes no requests from browsers.'}`
      : 'This browser is offline. Retry when the connection is back.',
    cut_off: 'The connection ended before the answer did. Retry.',
    other: `The endpoint could not answer.${message}`,
  }
  return sentences[problem]
}

/** Tokens and cost of an answer; empty for one that ended before the endpoint could report any. */
export function usageText({
  usage: { input, output, cost },
  status,
}: Pick<Answer, 'usage' | 'status'>): string {
  if (input === 0 && output === 0) return status === 'done' ? 'The endpoint reported no tokens.' : ''
  const tokens = `${formatInteger(input)} tokens in, ${formatInteger(output)} out`
  return cost === undefined ? tokens : `${tokens}, cost ${cost.toPrecision(3)} as the endpoint reports it`
}
