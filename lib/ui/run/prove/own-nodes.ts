/* The page on which a reader proves a run by nodes of their own choice: entry of a script of its own. */

import { certifyRun } from '../../../client/certify.ts'
import { createChainClient } from '../../../client/chain.ts'
import { checkFileBy } from '../../../engine/proof/check.ts'
import { computeExactly } from '../../../engine/proof/compute.ts'
import { nodeAt } from '../../../engine/proof/node.ts'
import { Refusal } from '../../../engine/proof/refusal.ts'
import type { Source } from '../../../engine/proof/sources.ts'
import type { PageOfRun } from './own-nodes-page.ts'

const MAX_NODES = 8
const TITLES = { proven: 'Proven', refuted: 'Refuted', undecided: 'Not proven' } as const

const run = JSON.parse(find('run').textContent ?? '') as PageOfRun
const button = find('prove') as HTMLButtonElement
button.addEventListener('click', () => void prove())

async function prove(): Promise<void> {
  button.disabled = true
  show('Reading proofs and computing…')
  try {
    const sources = sourcesOf((find('nodes') as HTMLTextAreaElement).value)
    const api = createChainClient(`${run.site}/chain`)
    const { text, silent } = await certifyRun(
      api,
      { ...run, ranAt: run.ranAt ?? undefined, shown: undefined },
      sources,
    )
    // The policy of this page lets no code be compiled.
    const found = await checkFileBy(text, (each) => ({ ...computeExactly(each), by: 'evm' }))
    show(TITLES[found.verdict], found.sentence, silent)
    if (found.verdict === 'proven') find('result').append(fileOf(text))
  } catch (error) {
    const title = error instanceof Refusal && error.refuted ? TITLES.refuted : TITLES.undecided
    show(title, error instanceof Error ? error.message.slice(0, 400) : 'It could not be proven here.')
  } finally {
    button.disabled = false
  }
}

/** A node each line. @throws Error */
function sourcesOf(text: string): Source[] {
  const lines = [...new Set(text.split('\n').map((line) => line.trim()))].filter(Boolean)
  if (lines.length === 0) throw new Error('Name at least one node.')
  if (lines.length > MAX_NODES) throw new Error(`Name at most ${MAX_NODES} nodes.`)
  const names = new Map<string, number>()
  return lines.map((line) => {
    const url = URL.canParse(line) ? new URL(line) : undefined
    if (url === undefined || !/^https?:$/.test(url.protocol) || url.host.length > 90) {
      throw new Error(`“${line.slice(0, 80)}” is no address of a node: it begins with https://.`)
    }
    // Paths may hold keys: a certificate names the host alone.
    const seen = (names.get(url.host) ?? 0) + 1
    names.set(url.host, seen)
    return { name: seen === 1 ? url.host : `${url.host} (${seen})`, ask: nodeAt(url.href) }
  })
}

function show(title: string, sentence = '', silent: readonly string[] = []): void {
  const missing = silent.length > 0 ? [`No header came from ${silent.join(', ')}.`] : []
  const [heading, ...lines] = [title, ...[sentence, ...missing].filter(Boolean)].map((text, i) => {
    const line = document.createElement(i === 0 ? 'h2' : 'p')
    line.textContent = text
    return line
  })
  find('result').replaceChildren(...(heading ? [heading] : []), ...lines)
}

function fileOf(text: string): HTMLAnchorElement {
  const anchor = document.createElement('a')
  anchor.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  anchor.download = `${run.connector}.weft.json`
  anchor.textContent = 'Download certificate'
  return anchor
}

function find(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`the page has no ${id}`)
  return found
}
