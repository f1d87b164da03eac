import { counted, formatInteger } from '#lib/browser/format.ts'
import { extentOf } from '#lib/engine/sound/extent.ts'
import type { RunLink } from '#lib/protocol/run-link.ts'
import type { RunForPage } from '#lib/views/run-page.ts'

/** Title of the page of a run. @param world Name of the World it is shown in. */
export function runTitle({ connector, count, block }: RunLink, world?: string): string {
  const place = block === undefined ? '' : ` at block ${formatInteger(block.number)}`
  return `${connector}, ${counted(count, 'step')}${place}${world === undefined ? '' : ` in ${world}`}`
}

/** Describes the result of a run in one or two sentences. */
export function runSummary(link: RunLink, { where, run }: RunForPage): string {
  const place =
    link.block === undefined ? 'Run here' : `Run on chain at block ${formatInteger(link.block.number)}`
  const starts = link.dynamicRi.length === 0 ? '' : `, ${counted(link.dynamicRi.length, 'start')} set`
  const request = `${place}: ${counted(link.count, 'step')} of ${link.connector}${starts}.`
  if (run.state === 'particles') {
    const extents = run.streams.map(({ data }) => extentOf(data))
    const low = Math.min(...extents.map(({ min }) => min))
    const high = Math.max(...extents.map(({ max }) => max))
    return `${request} ${counted(run.paths, 'voice')}, values from ${formatInteger(low)} to ${formatInteger(high)}.`
  }
  if (run.state === 'rejected') return `${request} It stops: ${reason(run.message)}.`
  if (where === 'chain' && run.state === 'block_gone')
    return `${request} The block is not on the chain any more.`
  return request
}

/** The reason of a rejected run, without the API's prefix. */
export function reason(message: string): string {
  return message.replace(/^Execution rejected: /, '').replace(/\.$/, '')
}
