import { formatInteger } from '#lib/browser/format.ts'
import type { Answer } from '#lib/studio/assistant/assistant.ts'
import type { Endpoint } from '#lib/studio/assistant/endpoint.ts'
import type { EndpointProblem } from '#lib/studio/assistant/protocol/endpoint-error.ts'

/** Description of each tool, by name. */
const DEEDS: ReadonlyMap<string, string> = new Map([
  ['read_document', 'Read your work'],
  ['result', 'Listened to it'],
  ['phrase_book', 'Looked into the phrase book'],
  ['search_published', 'Searched what is published'],
  ['read_published', 'Read something published'],
  ['write_connector', 'Wrote a connector'],
  ['edit_connector', 'Changed a connector'],
  ['write_code', 'Wrote a body'],
  ['rename', 'Renamed an entry'],
  ['use_template', 'Added a template'],
  ['show', 'Opened an entry'],
  ['play', 'Used the transport'],
  ['remove', 'Asked to remove an entry'],
  ['disconnect', 'Asked to disconnect a connector'],
  ['publish', 'Asked to open the plan'],
])

export function deedText(name: string): string {
  return DEEDS.get(name) ?? 'Tried something that the studio does not have'
}

/** Problem of an answer and what to do, in sentences. */
export function failureText({ failure }: Answer, endpoint: Endpoint | undefined): string {
  if (failure === undefined) return ''
  const { problem, words } = failure
  const said = words === '' ? '' : ` The endpoint says: ${words}`
  const address = URL.parse(endpoint?.url ?? '')
  const isOwn = address?.hostname === 'localhost' || address?.hostname === '127.0.0.1'
  const sentences: Readonly<Record<EndpointProblem, string>> = {
    key: `The endpoint does not accept this key. Check it in the settings above.${said}`,
    credit: `The account of this key has no credit left, or has reached its limit. Add credit at the provider, then retry.${said}`,
    forbidden: `The endpoint does not allow this.${isOwn ? ' A model on your machine has to accept pages of this site: for Ollama, set OLLAMA_ORIGINS to this site’s address.' : ''}${said}`,
    browser: `The organisation of this key does not allow requests from browsers. Its administrator can change that.${said}`,
    model: `The endpoint has no model called “${endpoint?.model ?? ''}”, or not for this key.${said}`,
    rate: `Too many requests for this key at the moment. Wait a little, then retry.${said}`,
    busy: `The endpoint is busy or has failed. Retry in a moment.${said}`,
    too_long: `This conversation or document is too long for the model. Begin a new conversation.${said}`,
    blocked: `This site does not let its pages connect to ${words || 'that address'}. Choose another endpoint in the settings above.`,
    no_answer: navigator.onLine
      ? `${words} gives no answer. ${isOwn ? 'Is the program running, and does it accept pages of this site? For Ollama, set OLLAMA_ORIGINS to this site’s address.' : 'The network may be down, or the endpoint takes no requests from browsers.'}`
      : 'This browser is offline. Retry when the connection is back.',
    cut_off: 'The connection ended before the answer did. Retry.',
    other: `The endpoint could not answer.${said}`,
  }
  return sentences[problem]
}

export function usageText({ usage: { input, output, cost } }: Pick<Answer, 'usage'>): string {
  if (input === 0 && output === 0) return 'The endpoint reported no tokens.'
  const tokens = `${formatInteger(input)} tokens in, ${formatInteger(output)} out`
  return cost === undefined ? tokens : `${tokens}, cost ${cost.toPrecision(3)} as the endpoint reports it`
}
